'use client'

import { useRouter } from 'next/navigation'
import { usePageContext } from '@/components/kits/layout/page-context'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { nextShortcutKey } from '@/components/kits/queue/next-context'
import { Button, Kbd } from '@/components/ui/button'
import { approvalPath } from '@/lib/routes'

export type NextRequest = { id: string; title: string }

const shortcutLabels = { group: 'Approval', keys: { [nextShortcutKey]: 'Next request' } }

/** Opens the next request that the person can decide, also by the key `n`. */
export function NextRequestButton({ next, isDecided }: { next: NextRequest; isDecided: boolean }) {
  const router = useRouter()
  const context = usePageContext()
  const openNext = () => router.push(approvalPath(context, next.id))
  useShortcut(nextShortcutKey, openNext, true, shortcutLabels)
  return (
    <Button
      variant={isDecided ? 'primary' : 'quiet'}
      className="max-w-full sm:ml-auto"
      onClick={openNext}
    >
      <span className="truncate">Next: {next.title}</span>
      <Kbd className="max-sm:hidden">{nextShortcutKey}</Kbd>
    </Button>
  )
}
