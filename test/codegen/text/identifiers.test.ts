/** Every operation gets an id and a type name that nothing else has. */

import { expect } from 'chai';
import fc from 'fast-check';
import ts from 'typescript';
import { camelCase, derivedId, pascalCase, withNames } from '../../../src/codegen/text/identifiers.js';

describe('the case of names', () => {
  const table: readonly (readonly [text: string, pascal: string, camel: string])[] = [
    ['getUser', 'GetUser', 'getUser'],
    ['get-stations', 'GetStations', 'getStations'],
    ['repos/get', 'ReposGet', 'reposGet'],
    ['find pet by id', 'FindPetById', 'findPetById'],
    ['API_key', 'APIKey', 'aPIKey'],
    ['été ½ 🙂', 'Été', 'été'],
    ['--', '', ''],
  ];
  for (const [text, pascal, camel] of table) {
    it(`makes ${pascal} and ${camel} of ${text}`, () => {
      expect([pascalCase(text), camelCase(text)]).to.deep.equal([pascal, camel]);
    });
  }
});

describe('an id that is derived', () => {
  const table: readonly (readonly [method: string, path: string, id: string])[] = [
    ['get', '/', 'get'],
    ['get', '/pets/{petId}', 'getPetsByPetId'],
    ['post', '/pets/{pet-id}/photos', 'postPetsByPetIdPhotos'],
    ['get', '/files/{name}.{ext}', 'getFilesByNameByExt'],
    ['post', 'newPet', 'postNewPet'],
  ];
  for (const [method, path, id] of table) {
    it(`is ${id} for ${method} ${path}`, () => {
      expect(derivedId(method, path)).to.equal(id);
    });
  }
});

describe('named operations', () => {
  const operation = (operationId: string | undefined, path = '/a') => ({ operationId, method: 'GET', path });
  const idsOf = (operations: readonly ReturnType<typeof operation>[]) =>
    withNames(operations).map(({ id }) => id);

  it('keep the ids of the contract, even if the same id is derived before them', () => {
    expect(
      idsOf([operation(undefined), operation('getA'), operation(undefined), operation('getA2')]),
    ).to.deep.equal(['getA3', 'getA', 'getA4', 'getA2']);
  });

  it('have type names that differ where ids differ in punctuation only', () => {
    const names = withNames([operation('get-a'), operation('get/a'), operation('getA'), operation('getA2')]);
    expect(names.map(({ typeName }) => typeName)).to.deep.equal(['GetA', 'GetA2', 'GetA3', 'GetA22']);
  });

  it('have ids and type names that nothing else has, and that TypeScript takes', () => {
    const ids = fc.uniqueArray(
      fc.oneof(
        fc.string(),
        fc.constantFrom('1', '', '__proto__', 'été', '名前', 'имя', '½', '²', '🙂', 'a\u0301'),
      ),
    );
    const paths = fc.array(fc.constantFrom('/', '/a', '/a/', '/{a}', '/a-b', '/a/b'));
    fc.assert(
      fc.property(ids, paths, (declared, others) => {
        const operations = [
          ...declared.map((id) => operation(id)),
          ...others.map((path) => operation(undefined, path)),
        ];
        const named = withNames(operations);
        expect(new Set(named.map(({ id }) => id)).size).to.equal(operations.length);
        expect(new Set(named.map(({ typeName }) => typeName)).size).to.equal(operations.length);
        for (const { typeName } of named) expect(isIdentifier(typeName), typeName).to.equal(true);
      }),
    );
  });
});

function isIdentifier(text: string): boolean {
  return Array.from(text).every((character, index) => {
    const code = character.codePointAt(0) ?? 0;
    return index === 0
      ? ts.isIdentifierStart(code, ts.ScriptTarget.ES2023)
      : ts.isIdentifierPart(code, ts.ScriptTarget.ES2023);
  });
}
