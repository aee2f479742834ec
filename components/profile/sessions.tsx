'use client'

import { useRouter } from 'next/navigation'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Badge } from '@/components/ui/tone'
import { clearQueries } from '@/lib/client/query/client'
import { useOperation } from '@/lib/client/query/writes'
import type { OwnSession } from '@/lib/operations/profile'
import { signInPath } from '@/lib/routes'

const getNameOrDefault = (name: string | null, defaultName: string) =>
  name === null || name === 'other' ? defaultName : name

/** Returns browser and operating system as reported by the browser: `Firefox on Linux`. */
function formatUserAgent({ browser, system }: OwnSession): string {
  const browserText = getNameOrDefault(browser, 'An unknown browser')
  const systemText = getNameOrDefault(system, '')
  if (systemText !== '') return `${browserText} on ${systemText}`
  return browserText === browser
    ? `${browserText} on an unknown system`
    : 'An unknown browser and system'
}

export function OwnSessions({ sessions }: { sessions: readonly OwnSession[] }) {
  const context = usePageContext()
  const router = useRouter()
  const { mutate, isPending, variables, error } = useOperation<
    'profile.end_session' | 'profile.end_sessions'
  >(context)
  const pendingOperation = isPending ? variables : null
  const endSessions = (request: NonNullable<typeof variables>, onSuccess: () => void) => {
    if (!isPending) mutate(request, { onSuccess })
  }
  const refreshPage = () => router.refresh()
  // Leave by a full page load, because it removes the data of the ended session from memory.
  const leavePage = () => {
    clearQueries()
    location.assign(signInPath())
  }
  const endAllSessions = (which: 'others' | 'all') =>
    endSessions(
      { operation: 'profile.end_sessions', input: { which } },
      which === 'all' ? leavePage : refreshPage,
    )
  const isEndingAllSessions = (which: 'others' | 'all') =>
    pendingOperation?.operation === 'profile.end_sessions' && pendingOperation.input.which === which
  return (
    <Panel
      title="Your sessions"
      aside={
        <span className="flex flex-wrap justify-end gap-2">
          {sessions.length > 1 && (
            <Button
              size="small"
              loading={isEndingAllSessions('others')}
              onClick={() => endAllSessions('others')}
            >
              End all others
            </Button>
          )}
          <Button
            size="small"
            loading={isEndingAllSessions('all')}
            onClick={() => endAllSessions('all')}
          >
            Sign out everywhere
          </Button>
        </span>
      }
    >
      {error && (
        <ErrorNotice
          urgent
          what="Nothing was changed"
          error={error.toWire()}
          requestId={error.requestId}
        />
      )}
      <ul aria-label="Your sessions" className="grid text-sm">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-1.5 last:border-b-0"
          >
            <span className="grid min-w-0">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {formatUserAgent(session)}
                {session.current && <Badge>This session</Badge>}
              </span>
              <span className="text-ink-3 text-xs">
                Signed in <RelativeTime at={session.created_at} show="moment" />, active{' '}
                <RelativeTime at={session.last_seen_at} show="ago" />, ends by{' '}
                <RelativeTime at={session.expires_at} show="moment" />
              </span>
            </span>
            {!session.current && (
              <Button
                size="small"
                loading={
                  pendingOperation?.operation === 'profile.end_session' &&
                  pendingOperation.input.id === session.id
                }
                onClick={() =>
                  endSessions(
                    { operation: 'profile.end_session', input: { id: session.id } },
                    refreshPage,
                  )
                }
              >
                End<span className="sr-only"> the session of {formatUserAgent(session)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
