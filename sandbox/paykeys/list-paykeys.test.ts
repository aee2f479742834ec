import { describe, expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

type PaykeyRow = Record<string, string> & { unblock_eligible: boolean | null }

const readPaykeyPage = async (query: string, headers = {}) =>
  (await client().ask(`/v1/paykeys?${query}`, { headers })).json
const listPaykeys = async (query: string, headers = {}) =>
  (await readPaykeyPage(`page_size=1000&${query}`, headers)).data as PaykeyRow[]

describe('the list of paykeys', () => {
  test('contains no metadata, no balance and no full token or number', async () => {
    const [row] = await listPaykeys('')
    expect(Object.keys(row ?? {}).sort()).toEqual(
      [
        ...[
          'id',
          'label',
          'source',
          'status',
          'created_at',
          'updated_at',
          'paykey',
          'config',
          'customer_id',
          'institution_name',
        ],
        ...['status_details', 'expires_at', 'bank_data', 'external_id', 'unblock_eligible'],
      ].sort(),
    )
    expect(row?.paykey).toMatch(/^[0-9a-f]{3}\*{3}\.02\.\*{6}[0-9a-f]{3}$/)
  })

  test('is sorted oldest first with a hundred rows per page by default', async () => {
    const { data, meta } = await readPaykeyPage('')
    expect(meta).toMatchObject({
      page_number: 1,
      page_size: 100,
      total_items: 600,
      total_pages: 6,
      sort_by: 'created_at',
      sort_order: 'asc',
    })
    const creationTimes = (data as PaykeyRow[]).map((row) => row.created_at ?? '')
    expect(creationTimes).toEqual([...creationTimes].sort())
  })

  test.each([['institution_name'], ['expires_at'], ['created_at']])(
    'can be sorted by %s both ways, without missing or duplicate rows',
    async (key) => {
      const allPaykeys = await listPaykeys('')
      for (const order of ['asc', 'desc']) {
        const pagedRows: PaykeyRow[] = []
        for (const pageNumber of [1, 2, 3]) {
          pagedRows.push(
            ...((
              await readPaykeyPage(
                `sort_by=${key}&sort_order=${order}&page_size=250&page_number=${pageNumber}`,
              )
            ).data as PaykeyRow[]),
          )
        }
        const fieldValues = pagedRows.map((row) => row[key] ?? '')
        const sortedValues = [...fieldValues].sort()
        expect(fieldValues).toEqual(order === 'asc' ? sortedValues : sortedValues.reverse())
        expect(new Set(pagedRows.map((row) => row.id)).size).toBe(allPaykeys.length)
      }
    },
  )

  test.each([
    [
      'status=review,blocked',
      (row: PaykeyRow) => row.status === 'review' || row.status === 'blocked',
    ],
    [
      'status=review&status=inactive',
      (row: PaykeyRow) => row.status === 'review' || row.status === 'inactive',
    ],
    ['source=plaid,quiltt', (row: PaykeyRow) => row.source === 'plaid' || row.source === 'quiltt'],
    ['unblock_eligible=true', (row: PaykeyRow) => row.unblock_eligible === true],
    ['unblock_eligible=false', (row: PaykeyRow) => row.unblock_eligible === false],
    ['status=active&source=mx', (row: PaykeyRow) => row.status === 'active' && row.source === 'mx'],
  ])('can be filtered by %s', async (query, fits) => {
    const expectedPaykeys = (await listPaykeys('')).filter(fits)
    expect(expectedPaykeys.length).toBeGreaterThan(0)
    expect(await listPaykeys(query)).toEqual(expectedPaykeys)
  })

  test('can be filtered by customer, time and text', async () => {
    const listedPaykeys = await listPaykeys('')
    const samplePaykey = listedPaykeys[300]
    const customerPaykeys = await listPaykeys(`customer_id=${samplePaykey?.customer_id}`)
    expect(customerPaykeys).toEqual(
      listedPaykeys.filter((row) => row.customer_id === samplePaykey?.customer_id),
    )
    const [from, to] = [listedPaykeys[100]?.created_at ?? '', listedPaykeys[110]?.created_at ?? '']
    expect(await listPaykeys(`created_from=${from}&created_to=${to}`)).toEqual(
      listedPaykeys.slice(100, 111),
    )
    expect(await listPaykeys('search_text=GRINGOTTS')).toEqual(
      listedPaykeys.filter((row) => row.institution_name === 'Gringotts'),
    )
    expect(
      await listPaykeys(
        `search_text=${encodeURIComponent(`${samplePaykey?.external_id} ${samplePaykey?.source}`)}`,
      ),
    ).toEqual([samplePaykey])
    expect(await listPaykeys('search_text=%25')).toEqual([])
  })

  test('contains only the account of the header, and a page past the end is empty', async () => {
    const accounts = (await client().ask('/v1/accounts?status=active')).json.data as {
      id: string
    }[]
    const paykeysOfAllAccounts: PaykeyRow[] = []
    for (const { id } of accounts)
      paykeysOfAllAccounts.push(...(await listPaykeys('', { 'service-account-id': id })))
    expect(paykeysOfAllAccounts.map((row) => row.id).sort()).toEqual(
      (await listPaykeys('')).map((row) => row.id).sort(),
    )
    expect((await readPaykeyPage('page_number=99')).data).toEqual([])
  })

  test.each([
    ['status=verified'],
    ['source=speedchex'],
    ['unblock_eligible=yes'],
    ['sort_by=id'],
    ['created_from=soon'],
    ['customer_id=1'],
    ['name=x'],
  ])('rejects %s with 400 and the field name', async (query) => {
    const response = await client().ask(`/v1/paykeys?${query}`)
    expect([response.status, response.json.error?.items]).toEqual([
      400,
      [expect.objectContaining({ reference: query.split('=')[0] })],
    ])
  })
})
