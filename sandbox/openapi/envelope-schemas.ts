import { z } from 'zod'
import { timestampSchema, uuidSchema } from '@/sandbox/http/read-body'

const requestMetaFields = {
  api_request_id: uuidSchema.describe('Identifies the request.'),
  api_request_timestamp: timestampSchema,
}

export const requestMetaSchema = z.strictObject(requestMetaFields).meta({ id: 'RequestMeta' })

export const listMetaSchema = z
  .strictObject({
    ...requestMetaFields,
    page_number: z.int(),
    page_size: z.int(),
    total_items: z.int().describe('All matches, not only those of this page.'),
    total_pages: z.int(),
    max_page_size: z.int(),
    sort_by: z.string(),
    sort_order: z.enum(['asc', 'desc']),
  })
  .meta({ id: 'ListMeta' })

const errorItemsSchema = z
  .array(
    z.strictObject({
      reference: z.string().describe('The field, parameter or header to blame.'),
      detail: z.string(),
    }),
  )
  .optional()

const errorSchema = z
  .strictObject({
    status: z.int(),
    type: z.string(),
    title: z.string(),
    detail: z.string(),
    items: errorItemsSchema,
  })
  .meta({ id: 'Error', description: 'What went wrong; items where a field is to blame.' })

export const errorEnvelopeSchema = z
  .strictObject({ meta: requestMetaSchema, response_type: z.literal('error'), error: errorSchema })
  .meta({ id: 'ErrorEnvelope', description: 'Every error that has no shape of its own.' })

export const idempotencyErrorSchema = z
  .strictObject({
    status: z.union([z.literal(400), z.literal(409)]),
    type: z.string(),
    title: z.string(),
    detail: z.string(),
    items: errorItemsSchema,
  })
  .meta({
    id: 'IdempotencyError',
    description: 'What is wrong with the Idempotency-Key: a bare object, without the envelope.',
  })

export const authenticationErrorSchema = z
  .strictObject({
    meta: requestMetaSchema,
    response_type: z.literal('error'),
    error: z.strictObject({
      code: z.literal('invalid_api_key'),
      message: z.string(),
      type: z.literal('authentication_error'),
    }),
  })
  .meta({ id: 'AuthenticationError', description: 'No usable API key.' })
