-- The count of the current window. ARGV: the window.
local window = tonumber(ARGV[6])
local now = clock()
local start = now - now % window
local used = 0

local s, left, of = read('w', now) -- limit, window, start, used
if #s > 0 then
  now = math.max(now, s[3])
  start = now - now % window
  local current = now < s[3] + s[2]
  if current then
    used = s[4]
  end
  changed = s[1] ~= limit or s[2] ~= window
  if changed then
    used = limit - inherited(s[1] - used, s[1])
  end
elseif left then
  used = limit - inherited(left, of)
end

local allowed = used + need <= limit
local wait = 0
if refund then
  if restore or stamp >= start then
    used = math.max(0, used - cost)
  end
elseif not allowed then
  wait = start + window - now
elseif cost > 0 then
  used = used + cost
end

local reset = used > 0 and start + window - now or 0
if changed or (refund and existed) or (not refund and allowed and cost > 0) then
  write('w', reset, limit, window, start, used)
end
return {allowed and 1 or 0, limit - used, wait, reset, now, existed and 1 or 0}
