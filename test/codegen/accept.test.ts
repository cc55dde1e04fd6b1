/** Gaps and acceptances are held against each other, both ways. */

import { expect } from 'chai';
import { requireAccepted } from '../../src/codegen/accept.js';

const gaps = [
  { code: 'callbacks', at: '#/a', message: 'not called' },
  { code: 'callbacks', at: '#/b', message: 'not called' },
  { code: 'servers', at: '#/a', message: 'not served' },
];
const stop = (accepted: readonly string[], found = gaps) => {
  requireAccepted('openapi.yaml', found, accepted);
};

describe('accepting gaps', () => {
  it('is not needed where there are none', () => {
    expect(() => {
      stop([], []);
    }).not.to.throw();
  });

  it('takes a code for every place, or a place alone', () => {
    expect(() => {
      stop(['callbacks', 'servers']);
    }).not.to.throw();
    expect(() => {
      stop(['callbacks at #/a', 'callbacks at #/b', 'servers at #/a']);
    }).not.to.throw();
  });

  it('names each gap that is left, once', () => {
    expect(() => {
      stop(['callbacks at #/a'], [...gaps, ...gaps]);
    }).to.throw(
      'openapi.yaml: change the contract, or accept the gap by its code:\n' +
        '  #/b: not called (callbacks)\n' +
        '  #/a: not served (servers)',
    );
  });

  it('names each acceptance that matched nothing', () => {
    expect(() => {
      stop(['callbacks', 'servers', 'callback', 'servers at #/b']);
    }).to.throw(
      'openapi.yaml: take back what is not needed:\n' +
        '  accepted, but never met: callback\n' +
        '  accepted, but never met: servers at #/b',
    );
  });
});
