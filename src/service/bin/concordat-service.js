#!/usr/bin/env node
/** The program `concordat-service`. It is committed, because npm links a workspace's program before anything is built. */
import '../dist/cli/main.js';
