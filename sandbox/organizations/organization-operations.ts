import { z } from 'zod'
import { externalId, metadata, text } from '@/sandbox/http/read-body'
import { paging, searchText } from '@/sandbox/http/read-query'
import type { Operation } from '@/sandbox/operation'
import { tableResource } from '@/sandbox/resource'
import { timesAt } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { organization } from './organization-store'

const listQuery = z.strictObject({
  ...paging(['id', 'name', 'created_at']),
  name: searchText,
  external_id: externalId.optional(),
})

const createBody = z.strictObject({ name: text(200), metadata: metadata.nullish(), external_id: externalId.nullish() })

const organizations = tableResource({
  name: 'organizations',
  account: 'forbidden',
  parameter: 'organization_id',
  output: organization,
  noun: 'organization',
  table: ({ organizations }) => organizations,
  owner: () => '',
})

/** Operations of organizations. The service cannot update or delete one (provider-facts 1.8). */
export const organizationOperations: readonly Operation[] = [
  organizations.create({ summary: 'Create an organization', input: createBody }, ({ sandbox, input, now }) => {
    const { name, metadata: given, external_id } = input
    const times = timesAt(now)
    return sandbox.organizations.insert(
      null,
      { id: newId(now), name, external_id: external_id ?? null, metadata: given ?? {}, ...times },
      null,
    )
  }),
  organizations.list(
    { summary: 'List organizations', query: listQuery, output: organization },
    ({ name, external_id }) => [
      { column: 'name', has: name },
      { column: 'external_id', is: external_id },
    ],
    (doc) => doc,
  ),
  organizations.get('Look up an organization'),
]
