// generate.ts
import { mkdir, writeFile } from 'node:fs/promises';
import { ContractError, generate } from 'concordat';

try {
  const files = await generate({ openapi: 'openapi.yaml', schema: 'schema.graphql' });
  await mkdir('generated', { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(`generated/${name}`, text);
} catch (error) {
  if (!(error instanceof ContractError)) throw error;
  for (const { feature, fault, file, line, pointer, message } of error.problems) {
    console.error(feature ?? fault, file, line, pointer, message);
  }
}
