import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { schemasByOperation } from '@/lib/operations/registry'
import type { MirrorListId } from '@/lib/operations/service-operations'
import type { ListInput } from '@/lib/server/mirror/lists'
import type { MirroredResource } from '@/lib/server/mirror/mirrored'
import { readMirrorPage } from '@/lib/server/mirror/query'
import { upsertObjects } from '@/lib/server/mirror/upsert-objects'
import {
  buildCustomerFields,
  buildPaymentSummary,
  buildUpsertOptions,
  environment,
  upsertListedPayments,
} from './harness/mirror-payments'
import { type OlderStore, openOlderStore } from './harness/older-store'
import { openTestStore } from './harness/own-store'
import { storeKinds } from './harness/store-kinds'

const grants = [{ role: 'operator' as const, environment, accountId: null }]

async function findIds(id: MirrorListId, filters: object): Promise<string[]> {
  const input = schemasByOperation[id].input.parse(filters) as ListInput<MirrorListId>
  const page = await readMirrorPage({ grants } as never, id, input, {
    environment,
    accountId: null,
  })
  return (page.data as { id: string }[]).map((row) => row.id).sort()
}

async function storeRows(id: MirrorListId, resource: MirroredResource, rows: object[]) {
  const objects = schemasByOperation[id].output.parse(rows) as never
  await upsertObjects({ ...buildUpsertOptions(), resource, objects })
}

const buildCustomer = (name: string, external_id: string) => ({
  ...buildCustomerFields(randomUUID()),
  ...{ name, external_id, type: 'individual', status: 'verified' },
  created_at: '2026-03-01T10:00:00.000Z',
})

const muller = buildCustomer('Jörg Mu\u0308ller', 'CRM-4711')
const angstrom = buildCustomer('Ångström & Søn', 'CRM-4712')
const obrien = buildCustomer("Siobhán  O'Brien", 'CRM-4713')

describe.each(storeKinds)('on %s', (kind) => {
  let closeStore: () => Promise<void>
  beforeAll(async () => {
    closeStore = await openTestStore(kind)
    await storeRows('customers.list', 'customers', [muller, angstrom, obrien])
  })
  afterAll(() => closeStore?.())

  test.each([
    ['muller', muller],
    ['MÜLLER', muller],
    ['jorg müller', muller],
    ['Angstrom', angstrom],
    ['son', angstrom],
    ['O’Brien', obrien],
    ["o'brien siobhan", obrien],
    ['obrien', obrien],
    ['crm-4712', angstrom],
    [muller.id, muller],
  ])('customers: “%s” finds its customer', async (search_text, { id }) => {
    expect(await findIds('customers.list', { search_text })).toEqual([id])
  })

  test('customers: a name is found by a part of it, and not by a part of the email', async () => {
    expect(await findIds('customers.list', { name: 'Siobhan O’Br' })).toEqual([obrien.id])
    expect(await findIds('customers.list', { name: 'example' })).toEqual([])
  })

  test('organizations: a name is found without its accents', async () => {
    const organizationId = randomUUID()
    await storeRows('organizations.list', 'organizations', [
      { id: organizationId, name: 'Crème Brûlée Group', metadata: {} },
    ])
    expect(await findIds('organizations.list', { name: 'creme brulee' })).toEqual([organizationId])
  })

  test('accounts: an account is found by its website', async () => {
    const accountId = randomUUID()
    const business_profile = { name: 'Birch Lane', website: 'https://birchlane.example.com' }
    await storeRows('accounts.list', 'accounts', [
      { id: accountId, status: 'active', business_profile },
    ])
    expect(await findIds('accounts.list', { search_text: 'birchlane.example' })).toEqual([
      accountId,
    ])
  })

  test('funding events: an event is found by its amount and each of its trace numbers', async () => {
    const eventId = randomUUID()
    const trace_ids = { charge: '091000019000002' }
    await storeRows('funding_events.list', 'funding_events', [
      {
        ...{ id: eventId, amount: '744943', status: 'created', transfer_date: '2026-03-04' },
        ...{ trace_number: '091000019000001', trace_numbers: ['091000019000003'], trace_ids },
      },
    ])
    for (const search_text of [
      '$7,449.43',
      '091000019000001',
      '091000019000002',
      '091000019000003',
    ])
      expect(await findIds('funding_events.list', { search_text })).toEqual([eventId])
    expect(await findIds('funding_events.list', { search_text: '7,449.44' })).toEqual([])
  })

  describe('payments', () => {
    const paymentIds = [randomUUID(), randomUUID(), randomUUID()] as const
    beforeAll(async () => {
      const [first, second, third] = paymentIds
      await upsertListedPayments([
        buildPaymentSummary(first, {
          ...{ amount: '744943', description: 'Café O’Leary, März', external_id: 'INV-2026-001' },
          trace_ids: { payout: '091000019000123' },
        }),
        buildPaymentSummary(second, {
          ...{ amount: '744944', customer_details: buildCustomerFields(muller.id) },
          trace_ids: { payout: '091000019000124' },
        }),
        buildPaymentSummary(third, { amount: '6789', external_id: '6789-A' }),
      ])
    })

    test.each([
      ['7,449.43', [0]],
      ['$7449.43', [0]],
      ['7,449.43 cafe', [0]],
      ['7,449.44 muller', [1]],
      ['7,449.43 muller', []],
      ['091000019000123', [0]],
      ['0910', []],
      ['cafe', [0]],
      ['café', [0]],
      ["o'leary", [0]],
      ['oleary', [0]],
      ['leary', [0]],
      ['marz', [0]],
      ['inv-2026-001', [0]],
      ['INV-2026', [0]],
      ['CRM-4711', [1]],
      ['6789', [2]],
    ])('“%s” finds %j', async (search_text, expected) => {
      expect(await findIds('payments.search', { search_text })).toEqual(
        expected.map((at) => paymentIds[at] ?? '').sort(),
      )
    })
  })
})

describe.each(storeKinds)('an older store, on %s', (kind) => {
  let olderStore: OlderStore
  afterEach(() => olderStore?.close())

  test('rows stored earlier are found without their accents', async () => {
    olderStore = await openOlderStore(kind, '0043_action_integration')
    const insertRow = (table: string, columns: Record<string, string>) => {
      const row = {
        ...{ environment: "'sandbox'", id: 'gen_random_uuid()', object: "'{}'" },
        ...{ seen_at: 'now()', seen_by: "'sync'", ...columns },
      }
      return olderStore.run(
        `insert into ${table} (${Object.keys(row)}) values (${Object.values(row)})`,
      )
    }
    for (const name of ["jörg o''brien", 'straße', 'plain name'])
      await insertRow('mirror_customers', {
        ...{ name: `'${name}'`, search: `'${name}'`, status: "'verified'" },
      })
    await insertRow('mirror_organizations', { name: "'crème'" })
    await insertRow('mirror_payments', {
      ...{ payment_type: "'payout'", status: "'paid'", funding_ids: "'{}'" },
      object: `'{"description": "Rent of O''Leary", "external_id": "R-1"}'`,
      words: "array_to_tsvector('{rent,of,o,leary,r,1}')",
    })
    await olderStore.migrate()
    expect(await olderStore.run('select search from mirror_customers order by search')).toEqual([
      { search: 'jorg obrien' },
      { search: 'plain name' },
      { search: 'strasse' },
    ])
    expect(await olderStore.run('select search from mirror_organizations')).toEqual([
      { search: 'creme' },
    ])
    expect(
      await olderStore.run("select 1 as found from mirror_payments where words @@ 'oleary:*'"),
    ).toEqual([{ found: 1 }])
  })
})
