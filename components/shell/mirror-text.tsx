'use client'

import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Progress } from '@/components/ui/progress'
import { errorKinds } from '@/lib/errors'
import type { MirrorState } from '@/lib/operations/answer'

const formatCount = (number: number) => number.toLocaleString('en-US')

const formatTimeLeft = (seconds: number | null): string => {
  if (seconds === null) return ''
  return seconds < 60 ? ', less than a minute left' : `, about ${Math.ceil(seconds / 60)} min left`
}

const ImportProgressText = ({
  done,
  total,
  seconds_left,
}: NonNullable<MirrorState['importing']>) => (
  <>
    <span>
      Reading from the payments service: {formatCount(done)} of {formatCount(Math.max(total, done))}
      {formatTimeLeft(seconds_left)}. Lists show what has been read so far.
    </span>
    <span className="w-40">
      <Progress
        label="Reading from the payments service"
        value={total > 0 ? done / Math.max(total, done) : null}
      />
    </span>
  </>
)

const MirrorAgeText = ({ checked_at, paused }: MirrorState) => (
  <span>
    {checked_at ? 'Lists were last updated ' : 'Lists are not complete'}
    {checked_at && <RelativeTime at={checked_at} show="ago" />}
    {paused ? (
      <>
        . Updates paused at <RelativeTime at={paused.since} show="moment" />:{' '}
        {errorKinds[paused.reason].title}.
      </>
    ) : (
      '.'
    )}
  </span>
)

/**
 * Explains why lists may be out of date. Lists are read from the mirror, our stored copy of the
 * service's data. Its import may still be running, or its updates may be paused.
 */
export const MirrorText = ({ state }: { state: MirrorState }) =>
  state.importing && !state.paused ? (
    <ImportProgressText {...state.importing} />
  ) : (
    <MirrorAgeText {...state} />
  )
