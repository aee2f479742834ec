'use client'

import { EmptyState } from '@/components/kits/feedback/empty-state'
import { BarePage } from '@/components/shell/bare-page'
import { Button } from '@/components/ui/button'
import { fontClasses } from './fonts'
import './globals.css'

/** Stands in for the root layout when that itself failed, so it uses nothing the layout provides. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={fontClasses}>
      <body className="font-sans">
        <title>Something failed · Paydesk</title>
        <BarePage>
          <EmptyState
            tone="bad"
            level={1}
            title="Paydesk could not draw this page"
            actions={
              <Button variant="primary" onClick={() => location.reload()}>
                Load again
              </Button>
            }
          >
            <p>Something failed on our side. Anything sent before is in the action book.</p>
            {error.digest && <p className="text-ink-3 text-xs">Reference {error.digest}</p>}
          </EmptyState>
        </BarePage>
      </body>
    </html>
  )
}
