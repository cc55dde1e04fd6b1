/** A contract that adds a field to a request of the core: the start names the handler that does not read it. */

import { expect } from 'chai';
import { contract } from '../../../generated/routing.js';
import { remembered, requireReadFields } from '../../../src/core/operations/unread-fields.js';

const own = contract.operations.replaceUser;
const accepting = (schema: object) => Object.assign(() => true, { schema: () => schema });

/** The core's contract, in which the body of `replaceUser` has a further field. */
const withField = (field: string) => ({
  operations: {
    ...contract.operations,
    replaceUser: {
      ...own,
      requestBody: {
        ...own.requestBody,
        content: {
          'application/json': {
            kind: 'json' as const,
            check: accepting({ $ref: accepting({ type: 'object', properties: { name: {}, [field]: {} } }) }),
          },
        },
      },
    },
  },
});

describe('a request field that a contract adds', () => {
  const handlers = remembered({ replaceUser: () => ({ status: 204 }) });

  it('is refused where a handler of the core would lose it', () => {
    expect(() => requireReadFields(withField('nickname'), handlers)).to.throw(
      'replaceUser: the handler of the core does not read body/nickname',
    );
  });

  it('is taken where the application replaces or wraps the handler, and where the core reads it', () => {
    const wrapped = { replaceUser: () => handlers.replaceUser() };
    expect(() => requireReadFields(withField('nickname'), wrapped)).not.to.throw();
    expect(() => requireReadFields(withField('email'), handlers)).not.to.throw();
    expect(() => requireReadFields(contract, handlers)).not.to.throw();
  });
});
