/** Tests of negotiation and of media types. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  charsetOf,
  compileNegotiation,
  essenceOf,
  findByMediaType,
} from '../../../src/runtime/http/media-type.js';
import { collectGarbage } from '../../support/collect-garbage.js';

/** Bytes of the heap that are in use after a collection. */
function usedMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const JSON_TYPE = 'application/json';
const XML = 'application/xml';

describe('compileNegotiation', () => {
  const negotiate = compileNegotiation([JSON_TYPE, XML, 'text/plain']);

  const cases: readonly (readonly [accept: string | undefined, chosen: string | undefined, why: string])[] = [
    [undefined, JSON_TYPE, 'without the header anything will do, so the first'],
    ['', JSON_TYPE, 'an empty header names nothing'],
    ['*/*', JSON_TYPE, 'anything'],
    [XML, XML, 'what is asked for'],
    ['Application/XML', XML, 'without regard to case'],
    ['text/*', 'text/plain', 'a range'],
    ['application/*', JSON_TYPE, 'the first of a range'],
    [`${XML};q=0.4, ${JSON_TYPE};q=0.5`, JSON_TYPE, 'the higher quality'],
    [`${XML};q=0.5, ${JSON_TYPE};q=0.4`, XML, 'the higher quality, whatever the server likes'],
    [`${XML}, ${JSON_TYPE}`, JSON_TYPE, 'of equal quality what the server likes'],
    [`${XML};q=0.5, */*;q=0.1`, XML, 'a named one before anything'],
    [`*/*, ${JSON_TYPE};q=0`, XML, 'a refusal is more specific than anything'],
    [`application/*;q=0, ${XML};q=0.1`, XML, 'a named one is more specific than its range'],
    [`text/plain;q=0.2, text/*;q=0.9`, 'text/plain', 'the most specific entry decides the quality'],
    [`${JSON_TYPE};q=0, ${XML};q=0`, undefined, 'everything that is named is refused'],
    ['*/*;q=0', undefined, 'everything is refused'],
    ['text/html', undefined, 'nothing on offer'],
    ['text/html, */*;q=0.1', JSON_TYPE, 'anything, as a last resort'],
    [`${XML};charset=utf-8`, XML, 'parameters do not matter'],
    [`${XML};charset=utf-8;q=0, text/plain`, 'text/plain', 'parameters before the quality'],
    [`${XML} ; Q = 0.1 , text/plain ; q=0.2`, 'text/plain', 'blanks and case of parameters do not matter'],
    [`${JSON_TYPE};q=0, ${JSON_TYPE};q=0.5`, JSON_TYPE, 'named twice: the more favourable'],
    ['garbage', JSON_TYPE, 'what cannot be read names nothing'],
    [`, ,;;, ${XML}, /, a/, /b`, XML, 'what cannot be read is passed over'],
    [`${XML};q=2`, undefined, 'a quality out of range refuses'],
    [`${XML};q=x`, undefined, 'a quality that is no number refuses'],
    ['application/jsonx', undefined, 'a longer name is another name'],
    ['constructor', JSON_TYPE, 'the name of a prototype member is no media type'],
    ['*/json', JSON_TYPE, 'a type that is a wildcard'],
  ];
  for (const [accept, chosen, why] of cases) {
    it(`${JSON.stringify(accept)} gets ${String(chosen)}: ${why}`, () => {
      expect(negotiate(accept)).to.equal(chosen);
      expect(negotiate(accept), 'asked again').to.equal(chosen);
    });
  }

  it('offers ranges to clients that accept a part of them', () => {
    const images = compileNegotiation(['image/*', JSON_TYPE]);
    expect(images('image/png')).to.equal('image/*');
    expect(images(JSON_TYPE)).to.equal(JSON_TYPE);
    expect(images('video/mp4')).to.equal(undefined);
  });

  describe('with aliases', () => {
    const aliased = compileNegotiation([XML, JSON_TYPE], { 'application/vnd.*+json': JSON_TYPE });

    const aliasCases: readonly (readonly [accept: string, chosen: string | undefined])[] = [
      ['application/vnd.acme.v2+json', JSON_TYPE],
      ['Application/Vnd.Acme+JSON', JSON_TYPE],
      ['application/vnd.acme.v2+json;q=0.1, application/xml;q=0.2', XML],
      ['application/vnd.acme.v1+json;q=0, application/vnd.acme.v2+json', JSON_TYPE],
      ['application/vnd.acme.v2+xml', undefined],
      ['application/vnd.a/b+json', undefined],
      ['application/vndXacme+json', undefined],
      ['xapplication/vnd.acme+json', undefined],
      ['application/vnd.acme+jsonx', undefined],
    ];
    for (const [accept, chosen] of aliasCases) {
      it(`${accept} gets ${String(chosen)}`, () => {
        expect(aliased(accept)).to.equal(chosen);
      });
    }
  });

  it('is not filled up by clients that invent headers', () => {
    const operations = Array.from({ length: 20 }, () => compileNegotiation([JSON_TYPE]));
    const before = usedMemory();
    for (let index = 0; index < 300; index += 1) {
      for (const negotiateOf of operations) {
        // 16 KB is as much as Node takes for all headers of a request.
        const accept = `text/html;n="${String(index)}${'x'.repeat(16_000)}", ${JSON_TYPE}`;
        expect(negotiateOf(accept)).to.equal(JSON_TYPE);
      }
    }
    const growth = usedMemory() - before;
    // They live until here, so that what they keep is counted.
    expect(operations.map((negotiateOf) => negotiateOf('*/*'))).to.have.length(20);
    expect(growth).to.be.below(2 * 1024 * 1024);
  });

  it('never throws, and answers with an offer or nothing', () => {
    const offers = [JSON_TYPE, XML] as const;
    const any = compileNegotiation(offers, { 'application/vnd.*+json': JSON_TYPE });
    const pieces = fc.constantFrom(
      ...'application/json,text*;q=0.5 "\\\t='.split(/(?=[/,;=*])/),
      ',',
      ';',
      '*',
    );
    const header = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(header, (accept) => {
        expect([...offers, undefined]).to.include(any(accept));
      }),
    );
  });
});

describe('essenceOf', () => {
  it('is the media type in lower case without its parameters', () => {
    expect(essenceOf('Application/JSON; charset=utf-8')).to.equal(JSON_TYPE);
    expect(essenceOf(' text/plain ')).to.equal('text/plain');
    expect(essenceOf('')).to.equal('');
    expect(essenceOf(';')).to.equal('');
  });
});

describe('charsetOf', () => {
  const cases = {
    'text/plain; charset=UTF-8': 'utf-8',
    'text/plain;a=b;CharSet = "iso-8859-1"': 'iso-8859-1',
    'text/plain; charset=utf-8;a=b': 'utf-8',
    'text/plain': undefined,
    'text/plain; xcharset=utf-8': undefined,
    'text/plain; charset=': undefined,
  };
  for (const [contentType, charset] of Object.entries(cases)) {
    it(`of ${contentType} is ${String(charset)}`, () => {
      expect(charsetOf(contentType)).to.equal(charset);
    });
  }
});

describe('findByMediaType', () => {
  const table = new Map([
    [JSON_TYPE, 'json'],
    ['application/*', 'application'],
    ['text/*', 'text'],
  ]);

  it('prefers the media type itself, then its range, then everything', () => {
    expect(findByMediaType(table, JSON_TYPE)).to.equal('json');
    expect(findByMediaType(table, XML)).to.equal('application');
    expect(findByMediaType(table, 'text/html')).to.equal('text');
    expect(findByMediaType(table, 'image/png')).to.equal(undefined);
    expect(findByMediaType(new Map([...table, ['*/*', 'any']]), 'image/png')).to.equal('any');
  });

  it('finds no entry for a text that is not a media type', () => {
    for (const mediaType of ['', 'json', '/', 'constructor', 'application']) {
      expect(findByMediaType(table, mediaType)).to.equal(undefined);
    }
  });
});
