'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { Kbd } from '@/components/ui/button'
import { listPages } from '@/lib/pages'

export function GoToHint() {
  const context = usePageContext()
  return (
    <div className="popover-enter max-w-3xl rounded-lg border border-line bg-raised px-3 py-2 shadow-float">
      <p className="text-ink-2 text-xs">
        Go to: press a letter, <Kbd>Esc</Kbd> leaves
      </p>
      <ul className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-xs">
        {listPages(context).map(({ id, key, name }) => (
          <li key={id} className="flex items-center gap-1">
            <Kbd>{key}</Kbd> {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
