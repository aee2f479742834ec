import { requireSwitch } from '@/sandbox/accounts/configuration'
import { notFound } from '@/sandbox/http/problem'
import { objectOperation } from '@/sandbox/operation'
import { unmaskedRepresentative } from './representative-store'

/** `GET /v1/representatives/{id}/unmask`: 403 unless the account's configuration allows it. */
export const unmaskRepresentative = objectOperation({
  id: 'representatives.unmask',
  method: 'GET',
  path: '/v1/representatives/:id/unmask',
  summary: 'Look up a representative with date of birth and social security digits',
  account: 'forbidden',
  output: unmaskedRepresentative,
  handle: ({ sandbox, params }) => {
    const entry = sandbox.representatives.get(params.id ?? '')
    if (!entry) throw notFound('representative')
    requireSwitch(sandbox, entry.account ?? 0, 'allow_data_unmask')
    return { ...entry.doc, ...entry.secret }
  },
})
