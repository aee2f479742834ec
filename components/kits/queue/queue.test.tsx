import { act, cleanup, fireEvent, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { type RecordQueue, useRecordQueue } from './queue'

afterEach(cleanup)

const rows = ['one', 'two', 'three'].map((id) => ({ id, name: `payout ${id}` }))
const waitingQueue: RecordQueue = {
  rows,
  waits: 'on_hold',
  end: 'All caught up',
  onward: null,
  again: null,
}
const buildPageItem = (page: number) => ({
  id: 'first',
  name: `the first of page ${page}`,
  href: `/payouts?page=${page}&open=first`,
})

const QueueWrapper = ({ children }: { children: ReactNode }) => (
  <PreferencesProvider initial={defaultPreferences} renderedAt="2026-03-31T12:00:00Z">
    {children}
  </PreferencesProvider>
)

/** Renders `useRecordQueue` for an open record. `rerender` changes the queue or the record. */
function renderQueue(queue: RecordQueue, id: string) {
  const openedTargets: string[] = []
  const { result, rerender } = renderHook(
    (props) =>
      useRecordQueue(props.queue, props.id, (next) => openedTargets.push(next.href ?? next.id)),
    {
      initialProps: { queue, id },
      wrapper: QueueWrapper,
    },
  )
  return { hook: () => result.current, rerender, opened: openedTargets }
}

test.each<[string, Partial<RecordQueue>, string, string | null]>([
  ['the row after it', {}, 'one', 'payout two'],
  ['after the last row, an earlier one', {}, 'three', 'payout one'],
  [
    'after the last row, the next page',
    { onward: buildPageItem(2) },
    'three',
    'the first of page 2',
  ],
  [
    'with no other row, the first page',
    { rows: rows.slice(0, 1), again: buildPageItem(1) },
    'one',
    'the first of page 1',
  ],
  ['with no other row and page, nothing', { rows: rows.slice(0, 1) }, 'one', null],
])('the next record is %s', (_, change, id, name) => {
  expect(renderQueue({ ...waitingQueue, ...change }, id).hook().step).toMatchObject({
    name,
    end: 'All caught up',
  })
})

test('the key opens the next record, or the next page by its URL', () => {
  const { rerender, opened } = renderQueue({ ...waitingQueue, onward: buildPageItem(2) }, 'two')
  fireEvent.keyDown(document.body, { key: 'n' })
  rerender({ queue: { ...waitingQueue, onward: buildPageItem(2) }, id: 'three' })
  fireEvent.keyDown(document.body, { key: 'n' })
  expect(opened).toEqual(['three', '/payouts?page=2&open=first'])
})

test('a decided record is not offered again, and a record that left keeps its position', () => {
  const { hook, rerender } = renderQueue(waitingQueue, 'one')
  act(() => hook().step?.prepare())
  expect(hook().ahead?.id).toBe('two')
  act(() => hook().ahead?.onStatus('paid'))
  expect(hook().step?.name).toBe('payout three')
  rerender({ queue: waitingQueue, id: 'three' })
  act(() => hook().step?.decided('three'))
  rerender({ queue: { ...waitingQueue, rows: rows.slice(0, 2) }, id: 'three' })
  expect(hook().step?.name).toBe('payout one')
})

test('the next record is read when the person starts a decision, and its name then includes the owner', () => {
  const { hook, rerender } = renderQueue(waitingQueue, 'one')
  expect(hook().ahead).toBeNull()
  act(() => hook().step?.prepare())
  act(() => hook().ahead?.onOwner('Wei Okafor'))
  expect(hook().step?.name).toBe('Wei Okafor · payout two')
  rerender({ queue: waitingQueue, id: 'two' })
  expect([hook().ahead, hook().step?.name]).toEqual([null, 'payout three'])
})
