/** Sends a valid request to each operation: the answer must be one that the contract declares. */

import { notEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationContract, findByStatus, memoryRequest } from '@concordat/runtime';
import { sampleRequests } from '@concordat/tools/mock';
import { contract } from '__GENERATED__/routing.js';
import { engine } from '../src/rest/engine.js';
 // with OPTIONS
/** The credentials are those that the handlers of the security schemes accept; `user:password` for Basic. */ // with SCHEMES
const options = __OPTIONS__; // with OPTIONS

const samples = sampleRequests('__CONTRACT__'); // without OPTIONS
const samples = sampleRequests('__CONTRACT__', options); // with OPTIONS

for (const [id, { responses }] of Object.entries<OperationContract>(contract.operations)) {
  void test(`${id} answers`, async (context) => {
    const sample = (await samples)[id];
    if (sample === undefined) {
      context.skip('no valid request could be made');
      return;
    }
    const { status } = await engine(memoryRequest(sample));
    if (status === 501) {
      context.todo('it is not implemented');
      return;
    }
    notEqual(status, 500, 'the handler fails, or its answer breaks the contract: the reason is above');
    const declared = findByStatus(new Map(Object.entries(responses)), status);
    ok(declared, `the contract does not declare ${String(status)}`);
  });
}
