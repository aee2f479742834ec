'use client'

import { type ComponentType, useEffect, useEffectEvent, useState, useTransition } from 'react'
import { buttonVariants } from '@/components/ui/button-variants'
import { isGone } from '@/lib/client/page-reads'
import { useOnline } from './browser-state'

/** How long after each failure another try starts automatically, in milliseconds: a connection that comes back does not carry everything at once. */
const pauses = [2000, 4000, 8000]

type StandInProps<Props> = {
  load: () => Promise<ComponentType<Props>>
  /** The outcome, for every place that draws this part. */
  came: { cause: unknown; Part?: ComponentType<Props> }
  props: Props & { onClose?: () => void }
}

/** Stands where a part's script did not come, until it has. */
export function StandIn<Props extends object>({ load, came, props }: StandInProps<Props>) {
  const [failed, setFailed] = useState({ cause: came.cause, times: 0 })
  const retry = async () => {
    try {
      came.Part = await load()
      setFailed({ cause: undefined, times: 0 })
    } catch (cause) {
      setFailed(({ times }) => ({ cause, times: times + 1 }))
    }
  }
  const retryByItself = useEffectEvent(() => void (navigator.onLine && retry()))
  const { Part } = came
  const pause = Part ? undefined : pauses[failed.times]
  useEffect(() => {
    if (pause === undefined) return
    const timer = setTimeout(retryByItself, pause)
    return () => clearTimeout(timer)
  }, [pause])
  return Part ? <Part {...props} /> : <NotLoaded cause={failed.cause} onRetry={retry} onClose={props.onClose} />
}

type NotLoadedProps = {
  cause: unknown
  part?: 'part' | 'page'
  onRetry: () => void | Promise<void>
  onClose?: () => void
}

/** In the place of what could not be loaded: why, and another try, which also starts automatically when the connection is back. */
export function NotLoaded({ cause, part = 'part', onRetry, onClose }: NotLoadedProps) {
  const online = useOnline()
  const [outdated, setOutdated] = useState(false)
  const [trying, start] = useTransition()
  const retry = () => start(() => onRetry())
  const onBack = useEffectEvent(retry)
  useEffect(() => {
    const back = () => onBack()
    addEventListener('online', back)
    return () => removeEventListener('online', back)
  }, [])
  useEffect(() => {
    let here = true
    void isGone(cause).then((gone) => here && setOutdated(gone))
    return () => {
      here = false
    }
  }, [cause])
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 p-3 text-ink-2 text-sm">
      <p>{!online ? offline(part) : outdated ? updated(part) : `This ${part} could not be loaded.`}</p>
      {online && (
        <button
          type="button"
          aria-busy={trying}
          onClick={outdated ? () => location.reload() : retry}
          className={buttonVariants({ size: 'small' })}
        >
          {outdated ? 'Reload page' : 'Try again'}
        </button>
      )}
      {onClose && (
        <button type="button" onClick={onClose} className={buttonVariants({ size: 'small', variant: 'quiet' })}>
          Close
        </button>
      )}
    </div>
  )
}

const offline = (part: string) => `You are offline. This ${part} loads when the connection is back.`
const updated = (part: string) => `Paydesk was updated. Reload to get this ${part}. Text you typed and did not send is lost: copy it first.`
