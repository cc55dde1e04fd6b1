/** Tests which addresses count as one client. */
import { expect } from 'chai';
import { networkOf } from '../../../../src/core/services/sign-in/attempts.js';

const networks: Readonly<Record<string, readonly string[]>> = {
  '192.0.2.1': [
    '192.0.2.1',
    // IPv4-mapped IPv6, in every form (RFC 4291 §2.5.5.2).
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:ffff:192.0.2.1',
    '0000:0000:0000:0000:0000:ffff:c000:0201',
  ],
  '192.0.2.2': ['192.0.2.2', '::ffff:192.0.2.2', '::ffff:c000:202'],
  '127.0.0.1': ['127.0.0.1', '::ffff:7f00:1'],
  '0.0.0.0': ['::ffff:0:0'],
  '2001:db8:0:0::/64': [
    '2001:db8::',
    '2001:db8::1',
    '2001:0DB8:0000:0000:ffff:ffff:ffff:ffff',
    '2001:db8:0:0:1:2:3:4',
    '2001:db8::192.0.2.1',
  ],
  '2001:db8:0:1::/64': ['2001:db8:0:1::', '2001:db8:0:1:1::1', '2001:db8:0:1:0:0:0:1'],
  '2001:db8:1:2::/64': ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  '0:0:0:0::/64': ['::1', '::', '0:0:0:0:0:0:0:1'],
  'fe80:0:0:0::/64': ['fe80::1', 'fe80::1%eth0', 'fe80::2%lo'],
  // A text that is no address is its own key.
  unknown: ['unknown'],
  '': [''],
  '1.2.3': ['1.2.3'],
  '2001:db8::/32': ['2001:db8::/32'],
};

describe('networkOf', () => {
  for (const [network, addresses] of Object.entries(networks)) {
    it(`maps ${addresses.join(', ')} to ${network}`, () => {
      for (const address of addresses) expect(networkOf(address), address).to.equal(network);
    });
  }
});
