import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DataTable } from '@/components/kits/data-table/data-table'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { defaultPreferences } from '@/lib/client/preferences'
import { useRowKeys } from './table'

const ids = ['one', 'two', 'three']
let opened: string[] = []

function List() {
  const current = useRowKeys(ids, (id) => opened.push(id), null)
  const columns = [{ id: 'name', header: 'Name', cell: (id: string) => <a href={`#${id}`}>{id}</a> }]
  return (
    <>
      <input aria-label="Search" />
      <DataTable caption="Rows" columns={columns} rows={ids} rowId={(id) => id} current={current} />
    </>
  )
}

const draw = (shortcuts = true) =>
  render(
    <PreferencesProvider initial={{ ...defaultPreferences, shortcuts }} renderedAt="2026-03-31T12:00:00Z">
      <List />
    </PreferencesProvider>,
  )

const current = () => document.querySelector('[data-current]')?.getAttribute('data-row')
const press = (key: string, target: Element = document.body) => fireEvent.keyDown(target, { key })

afterEach(() => {
  cleanup()
  opened = []
})

test('j and k move through the rows and stop at the ends, and Enter opens a row', () => {
  draw()
  for (const key of ['j', 'j', 'j', 'j', 'k']) press(key)
  expect(current()).toBe('two')
  press('Enter')
  expect(opened).toEqual(['two'])
})

test('j moves the focus from a link to the first row', () => {
  draw()
  screen.getByRole('link', { name: 'three' }).focus()
  press('j')
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'one' }))
})

test('typing in a field does not move the row, and Enter on a link only follows it', () => {
  draw()
  press('j', screen.getByLabelText('Search'))
  expect(current()).toBeUndefined()
  press('j')
  press('Enter', screen.getByRole('link', { name: 'three' }))
  expect(opened).toEqual([])
})

test('j does nothing if single-key shortcuts are off', () => {
  draw(false)
  press('j')
  expect(current()).toBeUndefined()
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
  expect(screen.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe('descending')
  expect(screen.getAllByRole('cell')).toHaveLength(3)
})
