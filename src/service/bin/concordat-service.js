#!/usr/bin/env node
/** The program `concordat-service`. It is committed, because npm links a workspace's program before anything is built. */
import module from 'node:module';

// Node 20 has no such cache. With it, the second start and later ones compile nothing.
module.enableCompileCache?.();
await import('../dist/cli/main.js');
