/** Verdicts on pairs of operations; every witness is sent to engines that are generated from both versions. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Answer, RestEngine } from '@concordat/runtime';
import {
  type Change,
  type RequestWitness,
  type ResponseWitness,
  SEVERITIES,
  SIDES,
  type VersionName,
} from '../../../src/tools/diff/change/change.js';
import { diffOpenapi } from '../../../src/tools/diff/openapi/diff-openapi.js';
import { memoryRequest } from '../../../src/runtime/http/memory-request.js';
import { generateContract, removeDirectory, temporaryPackage } from '../../codegen/generated-contract.js';
import { type OperationPair, foundIn, operationPairs } from './operation-pairs.js';
import { requestPairs } from './request-pairs.js';
import { responsePairs } from './response-pairs.js';
import { restrictionPairs } from './restriction-pairs.js';
import { sentPairs } from './sent-pairs.js';

const pairs = [...operationPairs, ...requestPairs, ...responsePairs, ...restrictionPairs, ...sentPairs];

const pathOf = (pair: OperationPair, version: VersionName = 'old'): string => {
  const path = (version === 'new' ? pair.newPath : undefined) ?? pair.path ?? '';
  return `/pair${String(pairs.indexOf(pair))}${path}`;
};

const nameOf = (pair: OperationPair): string => pathOf(pair).slice(1);

const SUBSCRIBE = 'POST /subscribe';

/** As changes name it. */
function labelOf(pair: OperationPair, version: VersionName = 'old'): string {
  if (pair.sent === undefined) return `POST ${pathOf(pair, version)}`;
  if (pair.sent === 'webhook') return `POST webhook ${nameOf(pair)}`;
  const owner = pair.sent === 'callback' ? SUBSCRIBE : `POST callback outer of ${SUBSCRIBE}`;
  return `POST callback ${nameOf(pair)} of ${owner}`;
}

const leaf: Readonly<Record<VersionName, object>> = {
  old: { type: 'string' },
  new: { type: 'string', maxLength: 3 },
};

/**
 * One contract that has every pair's operation in a path of its own.
 *
 * @param isServed - whether it is that of an engine for all of them: what the server sends is served as well
 */
function documentOf(version: VersionName, isServed = false): object {
  const items = (sent: OperationPair['sent'], nameIn: (pair: OperationPair) => string): object =>
    Object.fromEntries(
      pairs.flatMap((pair) =>
        pair[version] === undefined || (!isServed && pair.sent !== sent)
          ? []
          : [[nameIn(pair), { post: pair[version] }]],
      ),
    );
  const callbacks = (sent: OperationPair['sent']): object =>
    Object.fromEntries(
      Object.entries(items(sent, nameOf)).map(([name, item]) => [
        name,
        { '{$request.query.url}': item as object },
      ]),
    );
  const done = { responses: { 204: { description: 'Done' } } };
  const outer = { post: { ...done, callbacks: callbacks('callback of a callback') } };
  const subscribe = {
    ...done,
    callbacks: { ...callbacks('callback'), outer: { '{$request.query.url}': outer } },
  };
  const tree = {
    type: 'object',
    properties: { name: leaf[version], child: { $ref: '#/components/schemas/Tree' } },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Pairs', version: '1.0.0' },
    paths: {
      ...items(undefined, (pair) => pathOf(pair, version)),
      ...(!isServed && { '/subscribe': { post: subscribe } }),
    },
    ...(!isServed && { webhooks: items('webhook', nameOf) }),
    components: {
      schemas: { Tree: tree, Named: { type: 'object', required: ['a'] } },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'query', name: 'key' },
      },
    },
  };
}

/** An engine of one version, and what a request to it led to. */
interface Replay {
  readonly engine: RestEngine<string>;
  /** What the handlers answer. */
  answer: Answer;
  reached: boolean;
  readonly masked: string[];
}

describe('concordat diff: OpenAPI', () => {
  const folders: string[] = [];
  const replays = new Map<VersionName, Replay>();
  let changes: readonly Change[] = [];
  let reversed: readonly Change[] = [];

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-pairs-'));
    folders.push(directory);
    const files = { old: join(directory, 'old.json'), new: join(directory, 'new.json') };
    for (const version of ['old', 'new'] as const) {
      await writeFile(files[version], JSON.stringify(documentOf(version), undefined, 1));
      const served = join(directory, `served-${version}.json`);
      await writeFile(served, JSON.stringify(documentOf(version, true)));
      replays.set(version, await replayOf(served));
    }
    const now = new Date('2026-06-01T00:00:00Z');
    ({ changes } = await diffOpenapi(files.old, files.new, now));
    ({ changes: reversed } = await diffOpenapi(files.new, files.old, now));
  });

  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  async function replayOf(file: string): Promise<Replay> {
    const directory = await temporaryPackage();
    try {
      const { contract, start } = await generateContract(directory, { openapi: file });
      const replay: { -readonly [Key in keyof Replay]?: Replay[Key] } = {};
      const handler = (): Answer => {
        replay.reached = true;
        return replay.answer ?? { status: 204 };
      };
      const security = {
        missing: 'missing',
        authenticate: (credential: string) => ({ caller: 'somebody', scopes: credential.split('~') }),
      };
      const masked: string[] = [];
      const engine = start({
        operations: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, handler])),
        security: { bearer: security, key: security },
        report: (error) => masked.push(String(error)),
      });
      return Object.assign(replay, { engine, masked, reached: false, answer: { status: 204 } });
    } finally {
      await removeDirectory(directory);
    }
  }

  function replay(version: VersionName): Replay {
    const found = replays.get(version);
    if (found === undefined) throw new Error('nothing is generated yet');
    return found;
  }

  /** Whether a version takes a request: it reaches a handler. */
  async function takes(version: VersionName, { request }: RequestWitness): Promise<boolean> {
    const state = replay(version);
    state.reached = false;
    const { status } = await state.engine(memoryRequest(request));
    const { reached } = replay(version);
    expect(reached || (status >= 400 && status < 500), String(status)).to.equal(true);
    return reached;
  }

  /** Whether a version may give a response: its checks let it pass. */
  async function gives(version: VersionName, { response }: ResponseWitness): Promise<boolean> {
    const state = replay(version);
    const { operation, ...answer } = response;
    const [name = ''] = /pair\d+\S*/.exec(operation) ?? [];
    state.answer = answer;
    state.masked.length = 0;
    await state.engine(memoryRequest({ method: 'POST', path: `/${name}` }));
    return state.masked.length === 0;
  }

  const changesAt = (list: readonly Change[], pair: OperationPair): readonly Change[] =>
    list.filter(({ operations }) =>
      [labelOf(pair), labelOf(pair, 'new')].some((each) => operations.includes(each)),
    );

  for (const pair of pairs) {
    it(`${pair.title}: ${pair.changes.map(([kind]) => kind).join(', ') || 'nothing'}`, async () => {
      const found = changesAt(changes, pair);
      expect(
        found.map(({ kind, client, server }) => [kind, foundIn(client), foundIn(server)]),
      ).to.have.deep.members(pair.changes);
      for (const change of found) {
        expect(change.old?.file).to.match(/old\.json$/);
        expect(change.new?.file).to.match(/new\.json$/);
        expect([change.old?.line, change.new?.line]).to.not.include(undefined);
        for (const side of SIDES) {
          const { severity, witness, reason } = change[side];
          if (severity !== 'breaking' || change[side].unproven === true) {
            if (severity === 'dangerous' || severity === 'breaking') expect(reason).to.be.a('string');
            continue;
          }
          if (witness === undefined || 'document' in witness) throw new Error(`${change.kind} is not proved`);
          const takesIt = (version: VersionName): Promise<boolean> =>
            'request' in witness ? takes(version, witness) : gives(version, witness);
          expect(await takesIt(witness.takenBy), `${change.message} ${JSON.stringify(witness)}`).to.equal(
            true,
          );
          expect(await takesIt(witness.refusedBy), `${change.message} ${JSON.stringify(witness)}`).to.equal(
            false,
          );
        }
      }
    });
  }

  it('finds no change but those of the pairs', () => {
    const known = new Set(pairs.flatMap((pair) => changesAt(changes, pair)));
    expect(changes.filter((change) => !known.has(change))).to.deep.equal([]);
  });

  it('breaks clients where the reverse breaks servers', () => {
    for (const pair of pairs) {
      const breaking = (list: readonly Change[], side: 'client' | 'server'): number =>
        changesAt(list, pair).filter((change) => change[side].severity === SEVERITIES[0]).length;
      // A sunset is a promise to clients alone.
      if (pair.title.includes('after its sunset')) continue;
      expect([breaking(reversed, 'server'), breaking(reversed, 'client')], pair.title).to.deep.equal([
        breaking(changes, 'client'),
        breaking(changes, 'server'),
      ]);
    }
  });
});
