import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { Amount } from '@/components/kits/layout/amount'
import { Fact, FactList, RecordStatusBadge, UnreadableFact } from '@/components/kits/layout/panel'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { ReadableRecordField, RecordProvider, UnreadableFields } from './unreadable-fields'
import { UnreadableRows } from './unreadable-rows'

afterEach(cleanup)

const buildRecord = (...fields: string[]) => ({
  id: '1',
  unreadable: fields.map((field) => ({ field, raw: `raw of ${field}` })),
})
const readBodyText = () => document.body.textContent

describe('unreadable rows', () => {
  test('appear with their ID or without one, and a click shows the raw data', async () => {
    render(
      <UnreadableRows
        one="payout"
        rows={[
          { id: 'pay_77', raw: '{"id":"pay_77"}' },
          { id: null, raw: '•••' },
        ]}
      />,
    )
    const rows = await screen.findAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      'Not readablepay_77Copy payout IDShow what the service sent for pay_77{"id":"pay_77"}',
      'Not readableno IDShow what the service sent•••',
    ])
    for (const row of rows) expect(row.querySelector('details')?.open).toBe(false)
  })

  test('render nothing if every row was read', () => {
    render(<UnreadableRows one="payout" rows={[]} />)
    expect(readBodyText()).toBe('')
  })
})

describe('unreadable fields', () => {
  test('appear in the record head with their count, names and raw data', async () => {
    render(<UnreadableFields parts={buildRecord('amount', 'metadata.order').unreadable} />)
    await screen.findByText(/2 fields could not be read/)
    expect(readBodyText()).toContain('2 fields could not be read: amount, metadata.order')
    expect(readBodyText()).toContain('raw of metadata.order')
    expect(document.querySelector('details')?.open).toBe(false)
  })

  test.each<[string, string, string]>([
    [
      'itself',
      'payment_date',
      'Not readable (payment_date): show what the service sentraw of payment_date',
    ],
    ['another', 'description', 'today'],
    ['some of it', 'payment_date.zone', 'todayzone: not readable'],
  ])('replace their value with “Not readable”: %s', async (_, unreadable, expected) => {
    render(
      <RecordProvider record={buildRecord(unreadable)}>
        <FactList>
          <Fact name="Date" field="payment_date">
            today
          </Fact>
        </FactList>
      </RecordProvider>,
    )
    await waitFor(() => expect(screen.getByRole('definition').textContent).toBe(expected))
  })

  test('a field inside an unreadable object is unreadable too', async () => {
    render(
      <RecordProvider record={buildRecord('business_profile')}>
        <ReadableRecordField field="business_profile.name">none</ReadableRecordField>
      </RecordProvider>,
    )
    await waitFor(() => expect(readBodyText()).toContain('Not readable (business_profile.name)'))
    expect(readBodyText()).not.toContain('none')
  })

  test('a line for optional data appears only if that data is unreadable', () => {
    const createFactList = (object: unknown) => (
      <RecordProvider record={object}>
        <FactList>
          <UnreadableFact name="Metadata" field="metadata" />
        </FactList>
      </RecordProvider>
    )
    const { rerender } = render(createFactList(buildRecord()))
    expect(readBodyText()).toBe('')
    rerender(createFactList(buildRecord('metadata.order')))
    expect(readBodyText()).toBe('Metadatain partorder: not readable')
  })
})

describe('data read beside a record', () => {
  test('is not shown as empty if rows of it are unreadable', async () => {
    render(
      <ReadResultBlock read={{ data: [], unread: [{ id: 'pk_1', raw: '"?"' }] }} onAgain={() => {}}>
        {(rows) => <p>{rows.length === 0 ? 'No bank account is connected.' : 'some'}</p>}
      </ReadResultBlock>,
    )
    expect(readBodyText()).not.toContain('No bank account')
    expect((await screen.findByRole('listitem')).textContent).toContain('pk_1')
  })

  test('lists its own unreadable fields, not those of the surrounding record', async () => {
    render(
      <RecordProvider record={buildRecord('name')}>
        <ReadResultBlock read={{ data: buildRecord('status') }} onAgain={() => {}}>
          {() => <ReadableRecordField field="name">Ann</ReadableRecordField>}
        </ReadResultBlock>
      </RecordProvider>,
    )
    await waitFor(() => expect(readBodyText()).toContain('1 field could not be read: status'))
    expect(readBodyText()).toContain('Ann')
  })
})

test.each([
  ['no amount', <Amount key="a" raw="" currency="USD" unit="minor" />, 'Not readable'],
  [
    'no currency',
    <Amount key="c" raw="100" currency="" unit="minor" />,
    '1.00 currency not readable',
  ],
  ['no state', <RecordStatusBadge key="s" kind="payment" status="" />, 'Not readable'],
  [
    'an unknown state',
    <RecordStatusBadge key="u" kind="payment" status="constructor" />,
    'constructor',
  ],
])('%s has a readable fallback', (_, node, expected) => {
  render(node)
  expect(readBodyText()).toBe(expected)
})
