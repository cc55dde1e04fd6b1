/** Makes all resolvers of a process ask the server at the port of NAME_SERVER on loopback, in place of those of the system. */
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const { Resolver } = dns;

/** @param {string} port */
export function askAt(port) {
  dns.Resolver = class extends Resolver {
    /** @param {import('node:dns').ResolverOptions} [options] */
    constructor(options) {
      super(options);
      this.setServers([`127.0.0.1:${port}`]);
    }
  };
  syncBuiltinESMExports();
}

export function askTheSystem() {
  dns.Resolver = Resolver;
  syncBuiltinESMExports();
}

if (process.env['NAME_SERVER']) askAt(process.env['NAME_SERVER']);
