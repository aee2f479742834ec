import { z } from 'zod'
import { notFound } from '@/sandbox/http/problem'
import { externalId, metadata, text } from '@/sandbox/http/read-body'
import { pageOf, pageRequested, paging } from '@/sandbox/http/read-query'
import { listOperation, type Operation, objectOperation } from '@/sandbox/operation'
import { iso } from '@/sandbox/store/clock'
import { newId } from '@/sandbox/store/store'
import { type Organization, organization } from './organization-store'

const listQuery = z.strictObject({
  ...paging(['id', 'name', 'created_at']),
  name: z.string().max(200, 'must be at most 200 characters').optional(),
  external_id: externalId.optional(),
})

const createBody = z.strictObject({ name: text(200), metadata: metadata.nullish(), external_id: externalId.nullish() })

/** Organization operations; the service has no update and no deletion (provider-facts 1.8). */
export const organizationOperations: readonly Operation[] = [
  objectOperation({
    id: 'organizations.create',
    method: 'POST',
    path: '/v1/organizations',
    summary: 'Create an organization',
    account: 'forbidden',
    status: 201,
    input: createBody,
    output: organization,
    handle: ({ sandbox, input, now, effect }) => {
      const { name, metadata: given, external_id } = input
      const times = { created_at: iso(now), updated_at: iso(now) }
      const newOrganization: Organization = { id: newId(now), name, external_id: external_id ?? null, metadata: given ?? {}, ...times }
      sandbox.organizations.insert(null, newOrganization, null)
      effect({ target_id: newOrganization.id, account_id: '', from: '', to: 'created' })
      return newOrganization
    },
  }),
  listOperation({
    id: 'organizations.list',
    method: 'GET',
    path: '/v1/organizations',
    summary: 'List organizations',
    account: 'forbidden',
    query: listQuery,
    output: organization,
    handle: ({ sandbox, query }) => {
      const where = [
        { column: 'name', has: query.name },
        { column: 'external_id', is: query.external_id },
      ]
      const { total, entries } = sandbox.organizations.page({ ...pageRequested(query, 'id'), where })
      const items = entries.map((entry) => entry.doc)
      return pageOf(query, 'id', total, items)
    },
  }),
  objectOperation({
    id: 'organizations.get',
    method: 'GET',
    path: '/v1/organizations/:organization_id',
    summary: 'Look up an organization',
    account: 'forbidden',
    output: organization,
    handle: ({ sandbox, params }) => {
      const entry = sandbox.organizations.get(params.organization_id ?? '')
      if (!entry) throw notFound('organization')
      return entry.doc
    },
  }),
]
