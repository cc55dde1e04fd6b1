/** Texts of a contract that are made to run or to break its code: the generated files hold them, and run none of them. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'concordat';
import { expect } from 'chai';
import { type DocumentNode, type StringValueNode, parse, print, visit } from 'graphql';
import ts from 'typescript';
import { parse as parseYaml } from 'yaml';
import { fixture, fixtureContracts } from './contract-list.js';
import { loadModules } from './generated-modules.js';
import { HOSTILE } from './hostile.js';
import { type Attempt, allHostile, placesIn } from './hostile-contract.js';
import { documentOf, generated, operationOf } from './written-contract.js';
import { someOf, triesMuch } from '../support/budget.js';

const RUNS = '*/globalThis.PWNED=1;/*';
const sent = { post: { responses: { 204: { description: 'Nothing' } } } };

/** All of the texts in one. */
const ALL = HOSTILE.at(-1) ?? '';

/** Contracts that together have webhooks, callbacks, streams, forms, defaults, discriminators and every style of parameter. */
const RICH = ['outgoing.openapi-3.1.yaml', 'uploads.openapi-3.0.yaml', 'schemas.openapi-3.1.json'];

describe('a contract with hostile texts', () => {
  const rows: readonly (readonly [place: string, document: object])[] = [
    ['an operationId', operationOf({ operationId: RUNS })],
    ['the name of a webhook', documentOf({ webhooks: { [RUNS]: sent } })],
    ['the name of a callback', operationOf({ callbacks: { [RUNS]: { '{$request.body#/url}': sent } } })],
    ['a path with parameters', documentOf({ paths: { '/a\u2028{b}\u2029/\u2028': pathItem() } })],
  ];
  for (const [place, document] of rows) {
    it(`runs nothing from ${place}`, async () => {
      expectInert(await generated(document));
    });
  }

  const own = fixtureContracts.filter((contract) => !contract.name.includes('/'));
  for (const { name, file } of someOf(own, 3, 1)) {
    it(`runs nothing from all strings of ${name} at once`, async () => {
      const document = await read(file);
      const places = placesIn(document);
      let held = 0;
      for (const text of triesMuch && RICH.includes(name) ? HOSTILE : [ALL])
        held += await heldBy(document, places, text);
      console.log(`      ${String(held)} strings held one of the texts, of ${String(places.length)} places`);
    });
  }

  it('runs nothing from any string alone', async () => {
    const document = await read(fixture('outgoing.openapi-3.1.yaml').file);
    const places = placesIn(document);
    const held = new Set<string>();
    for (const place of someOf(places, 6)) {
      const attempt = await allHostile(document, [place], ALL);
      if (attempt === undefined) continue;
      expectInert(attempt.files);
      held.add(`${place.kind} ${place.at}`);
    }
    console.log(`      ${String(held.size)} of ${String(places.length)} places alone`);
    expect(held.size).to.be.above(triesMuch ? 60 : 10);
    for (const named of ['#/webhooks/', '#/components/schemas/', '#/paths/'])
      expect(
        [...held].some((place) => place.startsWith(`name ${named}`)),
        named,
      ).to.equal(true);
  });

  it('runs nothing from the strings of a GraphQL schema', async () => {
    let count = 0;
    for (const text of HOSTILE) {
      const [document, strings] = schemaWith(text);
      count += strings;
      const files = await generatedFromSchema(print(document));
      expectInert(files);
      const { typeDefs } = loadModules(files).exports['schema.ts'] as { readonly typeDefs: string };
      expect(stringsOf(parse(typeDefs))).to.deep.equal(stringsOf(document));
    }
    console.log(`      ${String(count)} strings of GraphQL`);
    expect(count).to.equal(HOSTILE.length * 20);
  });
});

/** Puts a text into as many places as may have it. @returns how many they are */
async function heldBy(document: object, places: ReturnType<typeof placesIn>, text: string): Promise<number> {
  const attempt: Attempt | undefined = await allHostile(document, places, text);
  if (attempt === undefined) throw new Error(`no place may have ${text}`);
  expectInert(attempt.files);
  // Most other places have no free text: a type, a location, a status.
  expect(attempt.held.length, text).to.be.at.least(places.length / 6);
  return attempt.held.length;
}

/** Everything parses and loads, and nothing of a contract runs: neither then, nor while it was generated. */
function expectInert(files: Readonly<Record<string, string>>): void {
  expect(loadModules(files).global).to.not.have.property('PWNED');
  expect(globalThis).to.not.have.property('PWNED');
  for (const [name, text] of Object.entries(files)) {
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext);
    const { parseDiagnostics = [] } = file as { readonly parseDiagnostics?: readonly ts.Diagnostic[] };
    expect(
      parseDiagnostics.map(({ messageText }) => messageText),
      name,
    ).to.deep.equal([]);
  }
}

async function read(file: string): Promise<object> {
  return parseYaml(await readFile(file, 'utf8')) as object;
}

/** A schema with a string in every place that may have one. */
const SDL = `
"a" directive @note("b" text: String = "c") repeatable on OBJECT | FIELD_DEFINITION | ENUM_VALUE | SCHEMA
"d" schema @note(text: "e") { query: Query }
"f" scalar Time @specifiedBy(url: "g")
"h" type Query @note(text: "i") { "j" a("k" b: String = "l"): Role @deprecated(reason: "m"), c(d: In = { e: "n" }): [In2] }
"o" enum Role { "p" ADMIN @deprecated(reason: "q") }
"r" input In { "s" e: String = "t" }
type In2 { e: ID }
`;

/** The schema with the text at the end of each string, and how many these are. */
function schemaWith(text: string): readonly [schema: DocumentNode, strings: number] {
  let strings = 0;
  const document = visit(parse(SDL), {
    StringValue(node): StringValueNode {
      strings += 1;
      return { ...node, value: node.value + text, block: false };
    },
  });
  return [document, strings];
}

/** Without white space: a description is printed as a block, whose lines are indented. */
function stringsOf(document: DocumentNode): readonly string[] {
  const strings: string[] = [];
  visit(document, { StringValue: ({ value }) => void strings.push(value.replaceAll(/\s+/g, '')) });
  return strings.toSorted();
}

async function generatedFromSchema(sdl: string): Promise<Readonly<Record<string, string>>> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-hostile-'));
  try {
    const schema = join(directory, 'schema.graphql');
    await writeFile(schema, sdl);
    return await generate({ schema });
  } finally {
    await rm(directory, { recursive: true });
  }
}

function pathItem(): object {
  return { ...sent, parameters: [{ name: 'b', in: 'path', required: true, schema: { type: 'string' } }] };
}
