/** An error that the engine has already written for clients, for libraries that want a GraphQLError. */

import { GraphQLError, type GraphQLFormattedError } from 'graphql';

export class FormattedError extends GraphQLError {
  constructor(private readonly formatted: GraphQLFormattedError) {
    super(formatted.message, { extensions: formatted.extensions ?? null });
  }

  override toJSON(): GraphQLFormattedError {
    return this.formatted;
  }
}
