/** The examples and defaults of a document: the compiled checks of their schemas agree with Ajv on them, and a wrong default is named. */

import { writeFile } from 'node:fs/promises';
import { generateFrom } from '../../src/codegen/generator/generate.js';
import { canonicalPointer } from '../../src/codegen/text/pointer.js';
import { runContract } from '../../src/tools/running/running-contract.js';
import { compareRequest, compareResponse, isUnlikeAjv } from './check-values.js';
import { type Node, bodiesOf, isNode, schemasOf } from './parts.js';
import { Finding, type Tried, inFolder } from './tried.js';
import { Judge } from './values.js';

/** So many schemas with samples are tried. */
const MOST = 60;

interface Site {
  readonly schema: Node;
  readonly pointer: string;
  readonly samples: readonly unknown[];
}

export async function checkSamples(tried: Tried): Promise<void> {
  const { document } = tried;
  const sites = sitesOf(document).slice(0, MOST);
  if (sites.length === 0 || isUnlikeAjv(tried)) return;
  const judge = new Judge(document);
  // Each schema is also the body of an operation of its own, and that of a member, into which its default is inserted.
  const paths = Object.fromEntries(
    sites.map(({ pointer }, index) => [
      `/zz-samples/${String(index)}`,
      operationOf(index, { $ref: pointer }),
    ]),
  );
  const file = inFolder(tried, 'samples.json');
  const own = isNode(document['paths']) ? document['paths'] : {};
  await writeFile(file, JSON.stringify({ ...document, security: [], paths: { ...own, ...paths } }));
  const running = await runContract(file);
  const { notices } = await generateFrom({ openapi: file, accept: tried.accept ?? [] });
  const unfit = new Set(notices.flatMap(({ kind, pointer }) => (kind === 'invalid-default' ? pointer : [])));
  for (const [index, { schema, pointer, samples }] of sites.entries()) {
    const [check, checkOfRequest] = [judge.checkOf(schema), judge.checkOf(schema, true)];
    const operation = running.model.operations.find(
      ({ method, path }) => method === 'POST' && path === pathOf(index),
    );
    if (check === undefined || checkOfRequest === undefined || operation === undefined) continue;
    for (const sample of samples) {
      compareResponse(running, operation.id, 200, sample, check);
      await compareRequest(running, operation, sample, checkOfRequest);
    }
    const isFit = !('default' in schema) || check(structuredClone(schema['default']));
    // A default that would be inserted into itself is named too.
    const mayBeEndless = isFit && JSON.stringify(schema).includes('$ref');
    if (!mayBeEndless && isFit === unfit.has(canonicalPointer(`${pointer}/default`)))
      throw new Finding(
        `a default that Ajv ${isFit ? 'takes' : 'refuses'} is ${isFit ? '' : 'not '}named: ${JSON.stringify(schema).slice(0, 300)} at ${pointer}`,
      );
  }
}

const pathOf = (index: number): string => `/zz-samples/${String(index)}`;

function operationOf(index: number, schema: Node): Node {
  const content = { 'application/json': { schema } };
  const member = { type: 'object', properties: { member: schema } };
  return {
    post: {
      operationId: `zzSample${String(index)}`,
      requestBody: { required: true, content },
      responses: {
        200: { description: 'The sample', content },
        201: { description: 'A member', content: { 'application/json': { schema: member } } },
      },
    },
    put: {
      operationId: `zzMember${String(index)}`,
      requestBody: { required: true, content: { 'application/json': { schema: member } } },
      responses: { 204: { description: 'Done' } },
    },
  };
}

function sitesOf(document: Node): readonly Site[] {
  const ofSchemas = schemasOf(document).map(({ schema, pointer }) => ({
    ...{ schema, pointer },
    samples: [
      ...['default', 'example'].flatMap((name) => (name in schema ? [schema[name]] : [])),
      ...(Array.isArray(schema['examples']) ? (schema['examples'] as readonly unknown[]) : []),
    ],
  }));
  const ofBodies = bodiesOf(document).map(({ media, pointer }) => ({
    ...{ schema: media['schema'] as Node, pointer: `${pointer}/schema` },
    samples: [
      ...('example' in media ? [media['example']] : []),
      ...Object.values(isNode(media['examples']) ? media['examples'] : {}).flatMap((each) =>
        isNode(each) && 'value' in each ? [each['value']] : [],
      ),
    ],
  }));
  return [...ofBodies, ...ofSchemas].filter(({ samples }) => samples.length > 0);
}
