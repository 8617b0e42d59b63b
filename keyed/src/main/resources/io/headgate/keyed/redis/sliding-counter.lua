-- The counts of the current window and the one before. ARGV: the window.
local window = tonumber(ARGV[6])
local now = clock()
local previous, current = 0, 0

local s, before, of = read('c', now) -- limit, window, previous, current, last
local start = now - now % window
if #s > 0 then
  now = math.max(now, s[5])
  start = now - now % window
  changed = s[1] ~= limit or s[2] ~= window
  local length = s[2]
  local ago = math.floor(now / length) - math.floor(s[5] / length)
  if ago == 0 then
    previous, current = s[3], s[4]
  elseif ago == 1 then
    previous = s[4]
  end
  if changed then
    local weighted = ceil_div(previous * (length - now % length), length)
    local wanted = limit - inherited(math.max(0, s[1] - current - weighted), s[1])
    local covered = window - (now - start)
    if length ~= window then
      previous, current = 0, wanted
    else
      current = math.min(current, wanted)
      previous = math.min(previous, math.floor((wanted - current) * window / covered))
      current = wanted - ceil_div(previous * covered, window)
    end
  end
elseif before then
  current = limit - inherited(before, of)
end

local function left()
  return limit - current - ceil_div(previous * (window - (now - start)), window)
end

-- How far into a window the one before, with `count`, weighs no more than `room`.
local function until_weighs(room, count)
  return count <= room and 0 or window - math.floor(room * window / count)
end

local allowed = need <= left()
local wait = 0
if restore then
  local wanted = math.min(limit, left() + cost)
  current = math.max(0, current - cost)
  if left() < wanted then -- a permit of the window before weighs less than one
    local covered = window - (now - start)
    previous = math.min(previous, math.floor((limit - current - wanted) * window / covered))
  end
elseif refund then
  if stamp >= start then
    current = math.max(0, current - cost)
  elseif stamp >= start - window then
    previous = math.max(0, previous - cost)
  end
elseif not allowed then
  local room = limit - current - need
  if room >= 0 then
    wait = start + until_weighs(room, previous) - now
  else
    wait = start + window + until_weighs(limit - need, current) - now
  end
elseif cost > 0 then
  current = current + cost
end

local reset = 0
if current > 0 then
  reset = start + 2 * window - now
elseif previous > 0 then
  reset = start + window - now
end
if changed or (refund and existed) or (not refund and allowed and cost > 0) then
  write('c', reset, limit, window, previous, current, now)
end
return {allowed and 1 or 0, left(), wait, reset, now, existed and 1 or 0}
