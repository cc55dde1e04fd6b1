/** The settings of the GraphQL door. */

export const graphqlSettings = {};
