-- Several limits in one step: from all is taken what is wanted, or from none. `decide` has the
-- algorithms by name, each as a function of the KEYS and ARGV that its own script takes.
--
-- KEYS  the key of each limit
-- ARGV  for each limit: the algorithm, 1 if its denial refuses the request, how many arguments follow,
--       and these
--
-- Answers what the algorithms answer, one after the other.
local wishes = {}
local refused = false
local at = 1
for i, key in ipairs(KEYS) do
  local count = tonumber(ARGV[at + 2])
  local wish = {decide = decide[ARGV[at]], keys = {key}, arguments = {}}
  for argument = 1, count do
    wish.arguments[argument] = ARGV[at + 2 + argument]
  end
  wish.answer = wish.decide(wish.keys, wish.arguments)
  refused = refused or (wish.answer[1] == 0 and ARGV[at + 1] == '1')
  wishes[i] = wish
  at = at + 3 + count
end

local answers = {}
for _, wish in ipairs(wishes) do
  if refused and wish.answer[1] == 1 and tonumber(wish.arguments[2]) > 0 then
    wish.arguments[1] = 'refund' -- nobody has seen it taken, as a script is one step
    wish.arguments[4] = string.format('%.0f', wish.answer[5])
    wish.decide(wish.keys, wish.arguments)
  end
  for _, number in ipairs(wish.answer) do
    answers[#answers + 1] = number
  end
end
return answers
