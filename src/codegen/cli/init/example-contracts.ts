/** The contracts that a project starts with when it has none. */

export const EXAMPLE_OPENAPI = `openapi: 3.1.0
info: { title: Greetings, version: 0.1.0 }
paths:
  /greetings/{name}:
    get:
      operationId: getGreeting
      summary: Greet somebody
      parameters:
        - { name: name, in: path, required: true, schema: { type: string, maxLength: 50 } }
      responses:
        '200':
          description: The greeting.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Greeting' }
              example: { text: 'Hello, Ada' }
components:
  schemas:
    Greeting:
      type: object
      required: [text]
      properties:
        text: { type: string, minLength: 1 }
`;

export const EXAMPLE_SCHEMA = `type Query {
  "Greet somebody."
  greeting(name: String!): Greeting!
}

type Greeting {
  text: String!
}
`;
