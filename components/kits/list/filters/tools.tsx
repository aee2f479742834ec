'use client'

import { Columns3, Download } from 'lucide'
import { lazy } from 'react'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { ListExport } from '@/components/kits/list/list-export'
import type { ListSpec, ListViewState } from '@/components/kits/list/spec'
import { Button } from '@/components/ui/button'
import { buttonVariants } from '@/components/ui/button-variants'
import { cn } from '@/components/ui/cn'
import { LineIcon } from '@/components/ui/line-icon'
import { Popover } from '@/components/ui/overlay'
import { whyNotExport } from '@/lib/domain/export-rules'

const ExportPanel = lazy(() =>
  import('@/components/kits/list/export-panel').then((module) => ({ default: module.ExportPanel })),
)

export function ExportButton({ exported }: { exported: ListExport }) {
  const { person } = usePageContext()
  const disabledReason = whyNotExport(person.roles)
  if (disabledReason) {
    return (
      <Button size="icon" variant="quiet" aria-label="Export" disabledReason={disabledReason}>
        <LineIcon shapes={Download} />
      </Button>
    )
  }
  return (
    <Popover
      label={`Export ${exported.many}`}
      align="end"
      panelClassName="w-80 p-3"
      aria-label="Export"
      title="Export"
      className={buttonVariants({ size: 'icon', variant: 'quiet' })}
      content={(close) => <ExportPanel exported={exported} onClose={close} />}
    >
      <LineIcon shapes={Download} />
    </Popover>
  )
}

const ColumnChoice = lazy(() =>
  import('./panels').then((module) => ({ default: module.ColumnChoice })),
)

type ListToolsProps = { spec: ListSpec; view: ListViewState; exported: ListExport }

export const ListTools = ({ spec, view, exported }: ListToolsProps) => (
  <>
    {Object.keys(spec.columns).length > 0 && (
      <Popover
        label="Columns"
        align="end"
        panelClassName="w-60 p-2"
        aria-label="Columns"
        title="Columns"
        // A narrow list has cards and no columns.
        className={cn(buttonVariants({ size: 'icon', variant: 'quiet' }), '@max-[44rem]:hidden')}
        content={() => <ColumnChoice spec={spec} view={view} />}
      >
        <LineIcon shapes={Columns3} />
      </Popover>
    )}
    <ExportButton exported={exported} />
  </>
)
