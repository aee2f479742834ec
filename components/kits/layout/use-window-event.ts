import { useEffectEvent, useLayoutEffect } from 'react'

type WindowEventOptions = { active?: boolean; capture?: boolean }

/** Also receives document events, because they bubble to the window. */
export function useWindowEvent<K extends keyof WindowEventMap>(
  eventName: K,
  handler: (event: WindowEventMap[K]) => void,
  { active = true, capture = false }: WindowEventOptions = {},
): void {
  const onEvent = useEffectEvent(handler)
  // A layout effect, so that a shortcut works as soon as its button is visible.
  useLayoutEffect(() => {
    if (!active) return
    const listener = (event: WindowEventMap[K]) => onEvent(event)
    addEventListener(eventName, listener, capture)
    return () => removeEventListener(eventName, listener, capture)
  }, [eventName, active, capture])
}
