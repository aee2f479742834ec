import * as z from 'zod'
import { id } from './common.schema'
import { type ProofDocument, resourcesWithDocuments } from './documents'

export const documentSchemas = {
  'documents.list': {
    input: z.strictObject({
      resource: z.enum(
        resourcesWithDocuments,
        `Must be one of ${resourcesWithDocuments.join(', ')}.`,
      ),
      record: id,
    }),
    output: z.custom<ProofDocument[]>(),
  },
  'documents.read': { input: z.strictObject({ id }), output: z.custom<never>() },
}
