/** The files that new projects are made from, filled in. */

import { readdirSync, statSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { type TemplateValues, filled } from '../../../src/codegen/init/project.js';
import { ROOT } from '../../architecture/source-tree.js';

const folder = `${ROOT}src/codegen/init/templates/`;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(folder + file).isFile(),
);

const HOSTILE = `*/ globalThis.PWNED = 1; /* ' " \` \${1} \\ \n\u2028 </script> __proto__`;

const VALUES: TemplateValues = {
  NAME: 'handler',
  TYPES: 'Handlers',
  SIGNATURE: 'Handlers',
  FROM: HOSTILE,
  WHAT: HOSTILE,
  ID: HOSTILE,
  TYPE: HOSTILE,
  FIELD: HOSTILE,
  ABOUT: HOSTILE,
  CONTRACT: HOSTILE,
  GENERATED: HOSTILE,
  XML: [HOSTILE, 'application/xml'],
  OTHER: [HOSTILE],
  ENCODED: true,
  REST: true,
  GRAPHQL: false,
  PREFIX: HOSTILE,
  PLAIN: false,
  OPTIONS: 'options',
  MODELS: 'models',
  OLD: HOSTILE,
  NEW: HOSTILE,
  CONVERT: 'conversions',
  SCHEMES: [HOSTILE],
  CREDENTIALS: [HOSTILE],
};

describe('the templates of new projects', () => {
  for (const file of files.filter((each) => each.endsWith('.ts'))) {
    it(`${file} keeps the text of a contract apart from code`, () => {
      const text = filled({ file, values: VALUES });
      const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
      expect(diagnostics.map(({ messageText }) => messageText)).to.deep.equal([]);
      const names = identifiersOf(text);
      expect(names).not.to.include('PWNED');
      expect(names.filter((name) => /^__/.test(name))).to.deep.equal([]);
    });
  }

  it('write a line once per item, and leave out those whose value is empty', () => {
    const engine = (XML: readonly string[], OTHER: readonly string[]) =>
      filled({ file: 'src/rest/engine.ts', values: { ...VALUES, XML, OTHER } });
    expect(engine(['application/xml', 'text/xml'], [])).to.include(
      "    'application/xml': xmlEncoder(contract.xmlNames),\n    'text/xml': xmlEncoder(contract.xmlNames),\n  },",
    );
    expect(engine([], [])).not.to.match(/xmlEncoder|Problem|\/\/ with/);
  });

  it('refuse a placeholder without a value', () => {
    expect(() => filled({ file: 'src/rest/handlers.ts' })).to.throw('__CONTRACT__ has no text');
    expect(() => filled({ file: 'codegen.ts', values: { OPTIONS: 'not a name' } })).to.throw(
      '"not a name" is no identifier',
    );
  });
});

/** The identifiers of a module: comments and strings have none. */
function identifiersOf(text: string): readonly string[] {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}
