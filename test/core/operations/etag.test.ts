/** Entity tags and conditional requests (RFC 9110 §8.8.3 and §13). */

import { expect } from 'chai';
import { conditional, digest, entityTag, writeCondition } from '../../../src/core/operations/answers.js';

describe('entityTag', () => {
  it('tells versions, media types and embedded content apart', () => {
    const tags = [
      entityTag(1, 'application/json'),
      entityTag(2, 'application/json'),
      entityTag(1, 'application/xml'),
      entityTag(1, 'application/json', digest({ a: 1 })),
      entityTag(1, 'application/json', digest({ a: 2 })),
      entityTag(1, 'application/xml', digest({ a: 1 })),
    ];
    expect(new Set(tags).size).to.equal(tags.length);
    for (const tag of tags) expect(tag).to.match(/^"[\x21\x23-\x7e]+"$/);
  });
});

describe('conditional', () => {
  it('answers 304 for its tag, compared weakly, in a list or with *', () => {
    for (const tags of ['"1"', 'W/"1"', '"0", "1"', ' * '])
      expect(conditional(tags, '"1"', 'body'), tags).to.deep.equal({ status: 304, headers: { ETag: '"1"' } });
    for (const tags of [undefined, '"2"', '1', ''])
      expect(conditional(tags, '"1"', 'body'), tags).to.include({ status: 200, body: 'body' });
  });
});

describe('writeCondition', () => {
  it('asks for nothing without a header or with If-Match: *', () => {
    expect(writeCondition({})).to.deep.equal({ ifVersion: undefined });
    expect(writeCondition({ 'If-Match': '*' })).to.deep.equal({ ifVersion: undefined });
  });

  it('reads the version from the tag of any representation', () => {
    for (const tag of [entityTag(7, 'application/json'), entityTag(7, 'application/xml', digest([]))]) {
      expect(writeCondition({ 'If-Match': tag }), tag).to.deep.equal({ ifVersion: [7] });
      const unless = writeCondition({ 'If-None-Match': tag });
      expect(unless, tag).to.deep.equal({ ifVersion: undefined, unlessVersion: [7] });
    }
    expect(writeCondition({ 'If-Match': '"1", "2-application.xml"' })).to.deep.equal({ ifVersion: [1, 2] });
  });

  it('matches nothing for weak and foreign tags in If-Match', () => {
    for (const tag of ['W/"1"', '"abc"', '"1', '', '"1"x"']) {
      expect(writeCondition({ 'If-Match': tag }).ifVersion, tag).to.deep.equal(tag === '"1"x"' ? [1] : []);
    }
  });

  it('compares the tags of If-None-Match weakly, and takes * for any version', () => {
    const unless = (tags: string) => writeCondition({ 'If-None-Match': tags }).unlessVersion;
    expect(unless(' * ')).to.equal('any');
    expect(unless('W/"1", "2"')).to.deep.equal([1, 2]);
    expect(unless('"abc", 3, ""')).to.deep.equal([]);
  });
});
