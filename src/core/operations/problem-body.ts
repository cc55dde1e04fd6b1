/** The error format of the contract: one field, in JSON and XML. */

import type { ProblemFormat } from 'concordat';

export const serviceProblems: ProblemFormat = {
  mediaTypes: ['application/json', 'application/xml'],
  body: ({ message }) => ({ error: message }),
};
