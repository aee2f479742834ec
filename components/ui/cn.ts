import { clsx } from 'clsx'

/** Joins class names. `className` of a primitive may set position and size; all else is set by its variants. */
export const cn = clsx
