import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import type { CallError } from '@/lib/client/call-error'

type ReadTroubleProps = { one: string; readError: CallError | null; actionsError: CallError | null }

/** What could not be read again: the old stays on the screen and says that it is old. An ended session is told once, above the page. */
export const ReadTrouble = ({ one, readError, actionsError }: ReadTroubleProps) => (
  <>
    <Trouble what={`This ${one} could not be read again; below is the last reading`} error={readError} />
    <Trouble what={`What Paydesk did with this ${one} could not be read`} error={actionsError} />
  </>
)

const Trouble = ({ what, error }: { what: string; error: CallError | null }) =>
  error === null || error.code === 'unauthenticated' ? null : (
    <ErrorNotice what={what} error={{ ...error.toWire() }} requestId={error.requestId} />
  )
