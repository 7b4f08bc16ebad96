/** Scrolls a canvas with the pointer that drags its background. `itemSelector` matches everything else. */
export function pan(event: PointerEvent, canvas: HTMLElement | null, itemSelector: string): void {
  const isGround = event.target instanceof Element && event.target.closest(itemSelector) === null;
  if (
    canvas === null ||
    !isGround ||
    event.button !== 0 ||
    event.offsetX > canvas.clientWidth + canvas.scrollLeft
  )
    return;
  const [x, y] = [event.clientX + canvas.scrollLeft, event.clientY + canvas.scrollTop];
  const move = (to: PointerEvent): void => canvas.scrollTo(x - to.clientX, y - to.clientY);
  const end = (): void => {
    canvas.classList.remove('panning');
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
  };
  canvas.classList.add('panning');
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}
