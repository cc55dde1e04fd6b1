/** Three versions of a contract, each with a name of its own for the name of a user, and an engine of the second one. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eachItem, versionBridge } from '../../../src/runtime/bridge/index.js';
import {
  type Hooks,
  type HttpRequest,
  Problem,
  type RestEngine,
  restEngine,
} from '../../../src/runtime/index.js';
import type { DecodedRequest } from '../../../src/runtime/rest/operation/handler.js';
import { type GeneratedContract, generateContract } from '../../codegen/generated-contract.js';

type Version = 1 | 2 | 3;

/** Generates the contract of a version into a folder such as `v1`. In version 3, a user has a `displayName`, and in version 2 a `fullName`. */
export async function generatePeople(directory: string, version: Version): Promise<GeneratedContract> {
  const out = join(directory, `v${String(version)}`);
  await mkdir(out);
  const source = new URL(`people-${String(Math.min(version, 2))}.openapi.yaml`, import.meta.url);
  const text = await readFile(source, 'utf8');
  const openapi = join(out, 'openapi.yaml');
  await writeFile(openapi, version === 3 ? text.replaceAll('fullName', 'displayName') : text);
  return generateContract(out, { openapi });
}

/** A request as the handlers of any version see it. */
type Request = DecodedRequest & {
  readonly body: Record<string, unknown> & AsyncIterable<Record<string, unknown>>;
};
type Context = { readonly caller: unknown; readonly request: HttpRequest };
type Handler = (request: Request, context: Context) => unknown;

/** What reached version 2. */
export interface Seen {
  readonly id: string;
  readonly request: DecodedRequest;
  readonly context: Context;
}

/** Version 2, and what a test sees of it. */
export class People {
  readonly seen: Seen[] = [];
  /** The credentials that were checked, each time. */
  readonly credentials: string[] = [];
  readonly reports: {
    readonly error: Error & { readonly cause?: unknown };
    readonly request: HttpRequest;
  }[] = [];
  /** Resolves when the items of `/changes` are not read any more. */
  readonly ended: Promise<number>;
  #end: (count: number) => void = () => undefined;

  /** @param named - the name of a user's name in this version */
  constructor(
    private readonly generated: GeneratedContract,
    private readonly named = 'fullName',
  ) {
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** @param checksResponses - as in tests and development */
  engine(hooks: readonly Hooks<unknown>[] = [], checksResponses = true): RestEngine<string> {
    const handlers: Readonly<Record<string, Handler>> = {
      listUsers: () => ({
        status: 200,
        headers: { 'X-Total': 1, 'X-Next': '/?after=1' },
        body: { items: [this.#ada] },
      }),
      createUser: ({ body }) => ({
        status: 201,
        headers: { Location: '/users/2' },
        body: { ...this.#ada, ...body },
      }),
      readUser: ({ path: { id } }) => this.#user(String(id)),
      deleteUser: ({ path: { id } }) => {
        if (id === 'busy') throw new Problem(409, 'The user is busy');
        return { status: 204 };
      },
      ping: () => ({ status: 200, body: { at: '2026-01-31T00:00:00Z' } }),
      readChanges: () => ({ status: 200, body: this.#changes() }),
      readPages: () => ({ status: 200, body: this.#all('Ada', 'Bob') }),
      importUsers: ({ body }) => ({ status: 200, body: eachItem(body, (user) => ({ id: '2', ...user })) }),
    };
    const operations = Object.entries(handlers).map(([id, handler]) => {
      const seeing = (request: Request, context: Context): unknown => {
        this.seen.push({ id, request, context });
        return handler(request, context);
      };
      return [id, seeing] as const;
    });
    const authenticate = (credential: string) => {
      this.credentials.push(credential);
      return credential.startsWith('bad') ? { refused: 'The credential is bad' } : { caller: credential };
    };
    return restEngine({
      contract: this.generated.contract,
      operations: Object.fromEntries(operations) as never,
      security: {
        bearer: { missing: 'No token', authenticate },
        key: { missing: 'No key', authenticate },
      },
      anonymous: 'nobody',
      problems: { mediaTypes: ['application/json'], body: ({ message }) => ({ error: message }) },
      ...(checksResponses && { checkResponses: this.generated.responseChecks }),
      hooks,
      report: (error, request) => this.reports.push({ error: error as Error, request }),
    });
  }

  get #ada(): object {
    return { id: '1', [this.named]: 'Ada', city: 'London' };
  }

  #user(id: string): unknown {
    if (id === 'none') throw new Problem(404, 'There is no such user');
    if (id === 'gone') throw new Problem(410, 'The user is gone');
    if (id === 'left') return { status: 410, body: { error: 'The user has left' } };
    if (id === 'unknown') return { status: 404, body: { error: 'Unknown' } };
    if (id === 'broken') throw new TypeError('the password of the database');
    return { status: 200, body: this.#ada };
  }

  async *#all(...names: readonly string[]): AsyncGenerator<object> {
    for (const name of names) yield await Promise.resolve({ [this.named]: name });
  }

  /** Changes for ever, each when it is asked for. */
  async *#changes(): AsyncGenerator<object> {
    let count = 0;
    try {
      for (; ; count += 1) yield await Promise.resolve({ data: { text: `change ${String(count)}` } });
    } finally {
      this.#end(count);
    }
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The conversions of a version whose users have a name of another name than those of the later one. */
export function renaming(name: string, later: string): Readonly<Record<string, object>> {
  const rename =
    (from: string, to: string) =>
    ({ [from]: value, ...rest }: Record<string, unknown>): object => ({ ...rest, [to]: value });
  const back = rename(later, name);
  const forth = rename(name, later);
  const body =
    (convert: (body: never) => unknown) =>
    (answer: Answer): Answer =>
      answer.status < 300 ? { ...answer, body: convert(answer.body as never) } : answer;
  return {
    createUser: {
      request: (request: { body: never }) => ({ ...request, body: forth(request.body) }),
      response: body(back),
    },
    readPages: { response: body((items: AsyncIterable<never>) => eachItem(items, back)) },
    importUsers: {
      request: (request: { body: AsyncIterable<never> }) => ({ body: eachItem(request.body, forth) }),
      response: body((items: AsyncIterable<never>) => eachItem(items, back)),
    },
  };
}

/** The conversions from version 1 to version 2. */
export const conversions: Readonly<Record<string, object>> = {
  ...renaming('name', 'fullName'),
  listUsers: {
    response: (answer: { body: { items: { id: string; fullName: string }[] } }) => ({
      ...answer,
      body: answer.body.items.map(({ id, fullName }) => ({ id, name: fullName })),
    }),
  },
  getUser: {
    to: 'readUser',
    response: (answer: { status: number; body: { id: string; fullName: string } }) =>
      answer.status === 200
        ? { status: 200, body: { id: answer.body.id, name: answer.body.fullName } }
        : answer,
  },
  oldReport: {
    handler: (_request: object, { caller }: Context) => ({ status: 200, body: `none for ${String(caller)}` }),
  },
  readChanges: {
    response: (answer: { body: AsyncIterable<{ data: { text: string } }> }) => ({
      ...answer,
      body: eachItem(answer.body, ({ data }) => ({ data: data.text })),
    }),
  },
};

/** A bridge without the types of its contracts. */
export const untypedBridge = versionBridge as unknown as (
  options: Readonly<Record<string, unknown>>,
) => RestEngine<string> & { readonly requests: Readonly<Record<string, number>> };
