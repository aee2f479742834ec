import { errorEnvelope } from '@/sandbox/openapi/envelope-schemas'
import { uuidPattern } from '@/sandbox/store/new-id'
import type { Dialect } from './dialect'

/** The interface document's dialect; docs/sandbox-differences.md lists how its gaps are filled. */
export const documentDialect: Dialect = {
  name: 'document',
  seed: null,
  summary: 'It speaks as the interface document has it.',
  account: {
    name: 'Service-Account-Id',
    form: 'acct_ and a UUID',
    described: 'acct_ and its UUID, or the bare UUID',
    read: (value) => {
      const id = value.replace(/^acct_/, '')
      return uuidPattern.test(id) ? id.toLowerCase() : undefined
    },
  },
  changesOf: () => ({}),
  data: (data) => data,
  meta: (meta) => meta,
  envelope: (body) => body,
  refusal: (body) => body,
  event: (data) => data,
  answerTypes: ['application/json'],
  contentType: () => 'application/json; charset=utf-8',
  errorEnvelope,
  describe: () => undefined,
}
