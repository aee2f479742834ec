import { useEffectEvent, useLayoutEffect } from 'react'

type Options = { active?: boolean; capture?: boolean }

/** Listens to a window event while `active`. Events of the document bubble to the window. */
export function useWindowEvent<K extends keyof WindowEventMap>(
  name: K,
  handler: (event: WindowEventMap[K]) => void,
  { active = true, capture = false }: Options = {},
): void {
  const onEvent = useEffectEvent(handler)
  // A layout effect, so that a shortcut works as soon as its button is visible.
  useLayoutEffect(() => {
    if (!active) return
    const listener = (event: WindowEventMap[K]) => onEvent(event)
    addEventListener(name, listener, capture)
    return () => removeEventListener(name, listener, capture)
  }, [name, active, capture])
}
