/** All that is wrong with a request is told at once: parameters and body together, bounded, and without its values. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Check, ParameterCodec } from '../../../src/runtime/contract/contract.js';
import { failuresOf } from '../../../src/runtime/failures/failures-of.js';
import type { Problem } from '../../../src/runtime/http/problem.js';
import { bodyOf, oneOperation, type OneOperation, type RequestDraft } from './one-operation.js';

/** A check of a schema, by what tells its failures. */
function checkOf(schema: object): Check {
  const check: Check = Object.assign((value: unknown) => failuresOf(check, value).length === 0, {
    schema: () => schema,
  });
  return check;
}

const query = (name: string, more: Partial<ParameterCodec> = {}): ParameterCodec => ({
  in: 'query',
  name,
  style: 'form',
  explode: true,
  value: { type: 'integer' },
  ...more,
});

const person = checkOf({
  type: 'object',
  required: ['name', 'e-mail'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    'e-mail': { type: 'string' },
    'a/b~c': { type: 'integer' },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 } },
  },
});

function operation(told: (problem: Problem) => void = () => undefined): OneOperation {
  return oneOperation({
    operation: {
      parameters: [query('page'), query('limit'), query('size', { required: true })],
      checkParameters: checkOf({
        type: 'object',
        properties: { query: { type: 'object', properties: { limit: { maximum: 100 } } } },
      }),
      requestBody: {
        required: true,
        content: {
          'application/json': { kind: 'json', check: person },
          'application/x-www-form-urlencoded': {
            kind: 'form',
            fields: {
              'a/b~c': { style: 'form', explode: true, value: { type: 'integer' } },
              name: { style: 'form', explode: true, value: { type: 'string' } },
            },
            check: checkOf({ type: 'object', required: ['a/b~c', 'name', 'e-mail'] }),
          },
        },
      },
    },
    problems: {
      mediaTypes: ['application/json'],
      body: (problem) => {
        told(problem);
        return { errors: problem.failures };
      },
    },
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The failures of a request as `pointer keyword`, and the message of its problem. */
async function failures(request: RequestDraft): Promise<readonly [string, readonly string[]]> {
  const problems: Problem[] = [];
  const response = await operation((problem) => problems.push(problem)).send(request);
  expect(response.status).to.equal(400);
  const { errors } = bodyOf(response) as { errors: Problem['failures'] };
  const [problem] = problems;
  expect(problem?.message).to.equal(errors[0]?.detail);
  return [problem?.message ?? '', errors.map(({ pointer, keyword }) => `${pointer} ${keyword}`)];
}

describe('the failures of a request', () => {
  it('are those of decoding and of the schemas, of the parameters and of the body', async () => {
    const body = '{"name":7,"a/b~c":"x","tags":["abcd","abc","abcde"],"more":1}';
    expect(await failures({ query: 'page=x&limit=200', body, headers: JSON_TYPE })).to.deep.equal([
      'query/page must be integer',
      [
        '/query/page type',
        '/query/size required',
        '/query/limit maximum',
        '/body/e-mail required',
        '/body/more additionalProperties',
        '/body/name type',
        '/body/a~1b~0c type',
        '/body/tags/0 maxLength',
        '/body/tags/2 maxLength',
      ],
    ]);
  });

  it('name a body that is missing or cannot be read beside the parameters', async () => {
    expect((await failures({ query: 'size=x' }))[1]).to.deep.equal(['/query/size type', '/body required']);
    const request = { query: 'size=1&limit=101', body: '{', headers: JSON_TYPE };
    expect(await failures(request)).to.deep.equal([
      'body must be valid JSON',
      ['/body contentMediaType', '/query/limit maximum'],
    ]);
  });

  it('of a form are those of all fields, and none is told as missing that could not be read', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await failures({ query: 'size=1', body: 'a/b~c=x', headers })).to.deep.equal([
      'body/a/b~c must be integer',
      ['/body/a~1b~0c type', '/body/name required', '/body/e-mail required'],
    ]);
  });

  it('are none for a refusal that is not about values', async () => {
    const problems: Problem[] = [];
    const engine = operation((problem) => problems.push(problem));
    await engine.send({ query: 'size=1', body: 'x', headers: { 'content-type': 'image/png' } });
    expect(problems.map(({ status, failures: list }) => [status, list])).to.deep.equal([[415, []]]);
  });

  it('are at most twenty, each once, and no longer than the names of the client may make them', async () => {
    const tags = Array.from({ length: 5000 }, () => 'abcd');
    const [, told] = await failures({ query: 'size=x', body: JSON.stringify({ tags }), headers: JSON_TYPE });
    expect(told).to.have.length(20);
    const long = { ['x'.repeat(100_000)]: 1, short: 1 };
    const [, names] = await failures({ query: 'size=x', body: JSON.stringify(long), headers: JSON_TYPE });
    expect(names).to.deep.equal([
      '/query/size type',
      '/body/name required',
      '/body/e-mail required',
      '/body/short additionalProperties',
    ]);
  });

  it('repeat no value of the request', async () => {
    const secret = fc.stringMatching(/^[A-Z]{12}$/).filter((text) => !/NOT/.test(text));
    await fc.assert(
      fc.asyncProperty(secret, async (text) => {
        const values = { name: [text], 'e-mail': { of: text }, 'a/b~c': text, tags: [text] };
        for (const [body, type] of [
          [JSON.stringify(values), 'application/json'],
          [`{"a":"${text}`, 'application/json'],
          [`a/b~c=${text}`, 'application/x-www-form-urlencoded'],
        ] as const) {
          const response = await operation().send({
            query: `page=${text}&limit=${text}`,
            body,
            headers: { 'content-type': type },
          });
          expect(response.body as string).to.not.include(text);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are found by looking as often at a value, however deep it is', () => {
    const readsAt = (depth: number): number => {
      let [reads, schema, value]: [number, object, object] = [0, { type: 'object', required: ['name'] }, {}];
      Object.defineProperty(value, 'leaf', { enumerable: true, get: () => (reads += 1) });
      for (let level = 0; level < depth; level += 1) {
        schema = { type: 'object', properties: { inner: schema } };
        value = { inner: value };
      }
      expect(failuresOf(checkOf(schema), value).map(({ keyword }) => keyword)).to.deep.equal(['required']);
      return reads;
    };
    expect(readsAt(40)).to.equal(readsAt(1));
  });

  it('are found without a look inside the parts that their checks accept, and these checks run a bounded number of times', () => {
    const counts = { explained: 0, checked: 0 };
    const described = { required: ['name'] };
    const schema = Object.defineProperty(described, 'type', {
      get: () => ((counts.explained += 1), 'object'),
    });
    const item: Check = Object.assign(
      (value: unknown) => ((counts.checked += 1), 'name' in (value as object)),
      {
        schema: () => schema,
      },
    );
    const list = checkOf({ type: 'array', items: { $ref: item } });
    const [named, nameless] = [{ name: 'a' }, {}];
    const failures = failuresOf(list, [...Array<object>(1000).fill(named), nameless]);
    expect(failures.map(({ instancePath }) => instancePath)).to.deep.equal(['/1000']);
    expect(counts).to.deep.equal({ explained: 1, checked: 1001 });
    expect(failuresOf(list, Array<object>(1000).fill(nameless))).to.have.lengthOf(1000);
    expect(counts).to.deep.equal({ explained: 1001, checked: 1001 + 32 });
  });
});
