import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DataTable } from '@/components/kits/data-table/data-table'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { useRowShortcuts } from './table'

const ids = ['one', 'two', 'three']
let openedIds: string[] = []

function TestList() {
  const currentRowId = useRowShortcuts(ids, (id) => openedIds.push(id), null)
  const columns = [
    { id: 'name', header: 'Name', cell: (id: string) => <a href={`#${id}`}>{id}</a> },
  ]
  return (
    <>
      <input aria-label="Search" />
      <DataTable
        caption="Rows"
        columns={columns}
        rows={ids}
        rowId={(id) => id}
        current={currentRowId}
      />
    </>
  )
}

const renderList = (shortcuts = true) =>
  render(
    <PreferencesProvider
      initial={{ ...defaultPreferences, shortcuts }}
      renderedAt="2026-03-31T12:00:00Z"
    >
      <TestList />
    </PreferencesProvider>,
  )

const readCurrentRow = () => document.querySelector('[data-current]')?.getAttribute('data-row')
const pressKey = (key: string, target: Element = document.body) =>
  fireEvent.keyDown(target, { key })

afterEach(() => {
  cleanup()
  openedIds = []
})

test('j and k move through the rows and stop at the ends, and Enter opens a row', () => {
  renderList()
  for (const key of ['j', 'j', 'j', 'j', 'k']) pressKey(key)
  expect(readCurrentRow()).toBe('two')
  pressKey('Enter')
  expect(openedIds).toEqual(['two'])
})

test('j moves the focus from a link to the first row', () => {
  renderList()
  screen.getByRole('link', { name: 'three' }).focus()
  pressKey('j')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'one' }))
})

test('typing in a field does not move the row, and Enter on a link only follows it', () => {
  renderList()
  pressKey('j', screen.getByLabelText('Search'))
  expect(readCurrentRow()).toBeUndefined()
  pressKey('j')
  pressKey('Enter', screen.getByRole('link', { name: 'three' }))
  expect(openedIds).toEqual([])
})

test('j does nothing if single-key shortcuts are off', () => {
  renderList(false)
  pressKey('j')
  expect(readCurrentRow()).toBeUndefined()
})

test('the table keeps its ARIA roles and its sort order', () => {
  render(
    <DataTable
      caption="Sorted"
      columns={[{ id: 'a', header: 'Amount', cell: (id: string) => id, sorted: 'desc' }]}
      rows={ids}
      rowId={(id) => id}
    />,
  )
  expect(screen.getByRole('table', { name: 'Sorted' })).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe(
    'descending',
  )
  expect(screen.getAllByRole('cell')).toHaveLength(3)
})
