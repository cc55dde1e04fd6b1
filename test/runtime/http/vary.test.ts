import { expect } from 'chai';
import { joinVary } from '../../../src/runtime/http/response-writers.js';

describe('joinVary', () => {
  it('names each header once, whatever its case', () => {
    expect(joinVary('Origin', 'Accept')).to.equal('Origin, Accept');
    expect(joinVary('accept, Origin', 'Accept')).to.equal('accept, Origin');
    expect(joinVary(['A', 'b'], ['B'])).to.equal('A, b');
  });

  it('passes over empty names', () => {
    expect(joinVary('', 'Accept')).to.equal('Accept');
    expect(joinVary(' , ', 'Accept,')).to.equal('Accept');
  });

  it('is * where everything matters', () => {
    expect(joinVary('*', 'Accept')).to.equal('*');
    expect(joinVary('Accept', ' * ')).to.equal('*');
  });
});
