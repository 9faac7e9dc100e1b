// Writes src/api.ts: the types and documents of src/operations.graphql, held
// against the schema. These are graphql-codegen's core and two of its plugins;
// its command line does the same with three hundred packages more.
import { readFile, writeFile } from 'node:fs/promises'
import { codegen } from '@graphql-codegen/core'
import * as typedDocuments from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import { parse } from 'graphql'

const read = async (path) => parse(await readFile(new URL(path, import.meta.url), 'utf8'))

const code = await codegen({
  filename: 'src/api.ts',
  schema: await read('../../docs/schema.graphql'),
  documents: [{ location: 'src/operations.graphql', document: await read('src/operations.graphql') }],
  config: {
    documentMode: 'string',
    useTypeImports: true,
    strictScalars: true,
    scalars: { ID: 'string', DateTime: 'string', Date: 'string', LocalTime: 'string', TimeZone: 'string', JSON: 'Record<string, unknown>' },
  },
  pluginMap: { operations, typedDocuments },
  plugins: [{ operations: {} }, { typedDocuments: {} }],
})
await writeFile(new URL('src/api.ts', import.meta.url), code)
