'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { buttonVariants } from '@/components/ui/button-variants'
import { Checkbox } from '@/components/ui/checkbox'
import { Popover } from '@/components/ui/popover'
import { ListLink, useList } from './list-frame'
import { type ListSpec, type ListView, shownColumns } from './list-spec'
import { viewHref } from './list-view'

/** Which columns stand in the table. The choice is part of the URL, so that Back, a link and a saved view keep it. */
export function ColumnChoice({ spec, view }: { spec: ListSpec; view: ListView }) {
  const desk = useDesk()
  const { go } = useList()
  const shown = shownColumns(spec, view)
  const names = Object.keys(spec.columns ?? {})
  const toggle = (name: string, on: boolean) => {
    const columns = names.filter((each) => (each === name ? on : shown.includes(each)))
    go(viewHref(spec, desk, view, { columns, page: view.page }))
  }
  return (
    <Popover
      label="Columns"
      align="end"
      panelClassName="w-60 p-2"
      className={buttonVariants({ size: 'small', variant: 'quiet' })}
      content={() => (
        <div className="grid">
          {names.map((name) => (
            <Checkbox
              key={name}
              label={spec.columns?.[name]?.label}
              checked={shown.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
          ))}
          {view.columns && (
            <ListLink
              href={viewHref(spec, desk, view, { columns: null, page: view.page })}
              className={buttonVariants({ size: 'small', variant: 'quiet' })}
            >
              As the list comes
            </ListLink>
          )}
        </div>
      )}
    >
      Columns
    </Popover>
  )
}
