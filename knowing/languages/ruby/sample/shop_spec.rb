require "shop"
# import shop

RSpec.describe Shop::Shelf do
#                    ^^^^^ reference read -> Shop.Shelf
  let(:shelf) { Shop::Shelf.new(1) }

  it "fills itself" do
#     ^^^^^^^^^^^^ definition function fills_itself test
    shelf.fill([])
#         ^^^^ reference call -> Shop.Shelf.fill
  end
end

class ShelfTest < Minitest::Test
#     ^^^^^^^^^ definition class ShelfTest
  def setup
#     ^^^^^ definition method ShelfTest.setup
    @shelf = Shop::Shelf.make(2)
#   ^^^^^^ definition field ShelfTest.@shelf
#                        ^^^^ reference call -> Shop.Shelf.make
  end

  test "is ready: always" do
#       ^^^^^^^^^^^^^^^^ definition method ShelfTest.is_ready:_always test
    assert @shelf.ready?
#          ^^^^^^ reference read -> ShelfTest.@shelf
  end
end
