import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { withStandIn } from '@/components/kits/layout/lazy-part'

/**
 * A part of a record that is drawn on the server and whose script comes a moment after the first ones. The script is requested at once, not when the
 * part is first rendered: reads wait until all parts are hydrated (`lib/client/query/hydration.ts`).
 */
export function afterHydration<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  const { Part, send } = afterHydrationOnNeed(load)
  if (typeof window !== 'undefined') void send()
  return Part
}

/** A part after hydration that few records show. `send` requests its script, once, from where the record is rendered. */
export function afterHydrationOnNeed<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let part: Promise<{ default: ComponentType<Props> }> | undefined
  const send = () => {
    if (!part) {
      part = withStandIn(load)().then((Part) => ({ default: Part }))
      // The error boundary shows a failure once the part is rendered.
      part.catch(() => undefined)
    }
    return part
  }
  return { Part: lazy(send), send }
}
