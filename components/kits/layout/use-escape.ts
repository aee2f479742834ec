'use client'

import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isTyping } from './use-shortcut'

type Layer = { within?: RefObject<HTMLElement | null> | undefined; close: () => void }

/** What is open on the page, the last one last. */
const layers: Layer[] = []

/** Layers of the browser's own, which it closes on its own. */
const topLayer = 'dialog[open], [popover="auto"]:popover-open'

function onKeyDown(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || document.querySelector(topLayer)) return
  const last = layers.at(-1)
  if (!last || (isTyping(event.target) && !last.within?.current?.contains(event.target))) return
  event.preventDefault()
  last.close()
}

/**
 * Closes with Escape what was opened last, wherever the focus is: a form goes back before the panel it is in is closed. Escape in a text field
 * is for the layer the field is in (`within`) only: elsewhere, as in a search box, it has a meaning of its own.
 */
export function useEscape(onEscape: () => void, active = true, within?: RefObject<HTMLElement | null>) {
  const close = useEffectEvent(onEscape)
  useEffect(() => {
    if (!active) return
    const layer: Layer = { within, close: () => close() }
    if (layers.length === 0) window.addEventListener('keydown', onKeyDown)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) window.removeEventListener('keydown', onKeyDown)
    }
  }, [active, within])
}
